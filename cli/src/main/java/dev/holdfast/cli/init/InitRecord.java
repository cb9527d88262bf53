package dev.holdfast.cli.init;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.PrivateFiles;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.settings.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code init} has changed in this working tree, stored in git's folder so that it can be undone. */
final class InitRecord {
    /**
     * A file before and after our change.
     *
     * @param before null: it did not exist
     */
    record Saved(@Nullable String before, String after) {}

    /** What all working trees of a repository share: the gate, and git's exclude list. */
    static final String GATE = "git";

    static final String EXCLUDE = "exclude";

    private final Path folder;
    private final Path file;
    private final Map<String, Saved> files = new LinkedHashMap<>();
    private final List<String> hooks = new ArrayList<>();

    /** Which of the shared parts this working tree needs; null: not recorded, as by earlier versions. */
    private @Nullable Set<String> needs;

    private InitRecord(Path folder) {
        this.folder = folder;
        file = folder.resolve("init.json");
    }

    static InitRecord in(Path gitFolder) {
        InitRecord record = new InitRecord(gitFolder.resolve("holdfast"));
        String text = new TextFile(record.file).read();
        if (text != null) {
            try {
                JsonObject root = JsonObject.of(Json.read(text));
                for (JsonObject each : root.objects("files")) {
                    record.files.put(
                            String.valueOf(each.text("path")),
                            new Saved(each.text("before"), String.valueOf(each.text("after"))));
                }
                root.objects("hooks").forEach(each -> record.hooks.add(String.valueOf(each.text("name"))));
                record.needs = root.get("needs") instanceof List<?> names
                        ? names.stream().map(String::valueOf).collect(Collectors.toCollection(TreeSet::new))
                        : null;
            } catch (NotJsonException e) {
                throw Failure.invalid(record.file + " is not readable: " + e.getMessage()
                        + ". Remove it, then remove by hand what init wrote");
            }
        }
        return record;
    }

    boolean isEmpty() {
        return changedNothing() && (needs == null || needs.isEmpty());
    }

    /** Whether there is nothing to undo. */
    boolean changedNothing() {
        return files.isEmpty() && hooks.isEmpty();
    }

    /** Without a record, it may need it. */
    boolean needs(String shared) {
        return needs == null || needs.contains(shared);
    }

    /** Records which shared parts this working tree needs, whoever installed them. */
    void need(Set<String> shared) {
        Set<String> all = new TreeSet<>(needs == null ? Set.of() : needs);
        all.addAll(shared);
        if (!all.equals(needs)) {
            needs = all;
            save();
        }
    }

    /** Takes over a change that another working tree leaves in place, to undo it later instead. */
    void inherit(String path, Saved changed) {
        Saved own = files.get(path);
        if (own == null) {
            files.put(path, changed);
        } else if (changed.after.equals(own.before)) {
            files.put(path, new Saved(changed.before, own.after));
        }
        save();
    }

    Map<String, Saved> files() {
        return files;
    }

    List<String> hooks() {
        return hooks;
    }

    /** Call this before writing the file: if we are killed in between, it can still be undone. */
    void add(String path, @Nullable String before, String after) {
        Saved earlier = files.get(path);
        files.put(
                path,
                earlier != null && earlier.after.equals(before)
                        ? new Saved(earlier.before, after)
                        : new Saved(before, after));
        save();
    }

    void addHooks(String name) {
        if (!hooks.contains(name)) {
            hooks.add(name);
            save();
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw Failure.failed("cannot remove " + file + ": " + IoReason.of(e), e);
        }
    }

    private void save() {
        List<Object> saved = new ArrayList<>();
        files.forEach((path, each) -> {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("path", path);
            entry.put("before", each.before);
            entry.put("after", each.after);
            saved.add(entry);
        });
        Map<String, @Nullable Object> root = new LinkedHashMap<>();
        root.put("files", saved);
        if (needs != null) {
            root.put("needs", List.copyOf(needs));
        }
        root.put("hooks", hooks.stream().map(name -> Map.of("name", name)).toList());
        try {
            PrivateFiles.folder(folder);
            PrivateFiles.file(file);
            new TextFile(file).write(Json.write(root) + "\n");
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + IoReason.of(e), e);
        }
    }
}
