package dev.holdfast.cli.init;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.settings.TextFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files in the working tree that {@code init} writes to. */
final class WrittenFiles {
    /**
     * One of them.
     *
     * @param before null: it does not exist yet
     */
    private record Change(String path, @Nullable String before, String after, String purpose) {
        boolean isNeeded() {
            return !after.equals(before);
        }
    }

    /** In git's folder. */
    private static final String EXCLUDE = "info/exclude";

    private final Path top;
    private final List<Change> changes;

    private WrittenFiles(Path top, List<Change> changes) {
        this.top = top;
        this.changes = changes;
    }

    /** @param holdfast the command that runs the program */
    static WrittenFiles of(Repository repository, List<Host> hosts, String holdfast, boolean gate, boolean hooks) {
        Path top = repository.top();
        List<Change> changes = new ArrayList<>();
        Map<String, String> instructions = new LinkedHashMap<>();
        for (Host host : hosts) {
            changes.add(change(
                    top, host.servers, host.server(holdfast), "so that " + host.title + " finds the broker's tools"));
            instructions.merge(host.instructions, host.title, (a, b) -> a + ", " + b);
        }
        if (instructions.isEmpty()) {
            instructions.put("AGENTS.md", "agents");
        }
        instructions.forEach((file, readers) -> changes.add(
                change(top, file, Instructions.block(gate), "which tells " + readers + " how to work together")));
        List<String> ofThisMachine = hosts.stream()
                .flatMap(host -> host.hooks == null ? Stream.empty() : Stream.of(host.hooks))
                .flatMap(host -> Stream.of(host.file(true), AgentHost.SCRIPT, host.file(true) + ".before-holdfast")
                        .map(file -> "/." + host + "/" + file))
                .toList();
        if (hooks && !ofThisMachine.isEmpty()) {
            changes.add(change(
                    top,
                    exclude(top, repository.commonFolder()),
                    MarkedBlock.toml(String.join("\n", ofThisMachine) + "\n", ""),
                    "so that git ignores the hooks' files, which contain paths of this machine"));
        }
        return new WrittenFiles(top, changes);
    }

    /** Its path in a working tree's record: git keeps it in its common folder, which for a linked tree is elsewhere. */
    private static String exclude(Path top, Path commonFolder) {
        boolean main = Files.isDirectory(top.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
        return main ? ".git/" + EXCLUDE : commonFolder.resolve(EXCLUDE).toString();
    }

    private static Change change(Path top, String path, FilePart piece, String purpose) {
        Path file = top.resolve(path);
        refuseLinks(top, file);
        String before = new TextFile(file).read();
        try {
            return new Change(path, before, piece.with(before), purpose);
        } catch (Failure e) {
            throw Failure.invalid(file + ": " + e.text());
        }
    }

    /** The repository may be a stranger's, and a link in it may lead to one of the user's own files. */
    private static void refuseLinks(Path top, Path file) {
        Path last = file.startsWith(top) ? top : file.getParent(); // git's folder is the user's own
        for (Path each = file; each != null && !each.equals(last); each = each.getParent()) {
            if (Files.isSymbolicLink(each)) {
                throw Failure.invalid(
                        each
                                + " is a link, which init does not follow; nothing was changed. Replace it with the file it points to");
            }
        }
    }

    List<String> plan() {
        return changes.stream()
                .filter(Change::isNeeded)
                .map(change -> (change.before == null ? "create  " : "add to  ") + change.path + ", " + change.purpose)
                .toList();
    }

    /** Which of these parts all working trees of the repository share. */
    Set<String> shared(boolean gate) {
        boolean excludes = changes.stream().anyMatch(change -> change.path.endsWith(EXCLUDE));
        return Stream.of(gate ? InitRecord.GATE : "", excludes ? InitRecord.EXCLUDE : "")
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    void write(InitRecord record) {
        for (Change change : changes) {
            if (change.isNeeded()) {
                record.add(change.path, change.before, change.after);
                write(top.resolve(change.path), change.after);
            }
        }
    }

    private static void write(Path file, String text) {
        try {
            new TextFile(file).write(text);
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + IoReason.of(e), e);
        }
    }

    /** Restores each file byte for byte if nobody has changed it since; otherwise only removes our part. */
    static void undo(Repository repository, InitRecord record, OtherWorkingTrees others, PrintStream out) {
        Path top = repository.top();
        record.files().forEach((path, saved) -> {
            Path file = top.resolve(path);
            refuseLinks(top, file);
            String now = new TextFile(file).read();
            OtherWorkingTrees.Tree heir =
                    path.endsWith(EXCLUDE) ? others.needing(InitRecord.EXCLUDE).orElse(null) : null;
            if (now == null) {
                out.println("gone already: " + path);
            } else if (heir != null && !(now.equals(saved.after()) && isOurs(path, saved.before()))) {
                heir.record().inherit(exclude(heir.top(), repository.commonFolder()), saved);
                out.println("kept " + path + ": " + heir.top() + " needs it, too");
            } else if (!now.equals(saved.after())) {
                write(file, piece(path).without(now));
                out.println("changed since then, so only init's part was removed: " + path);
            } else if (saved.before() == null) {
                delete(top, file);
                out.println("removed " + path);
            } else {
                write(file, saved.before());
                out.println("restored " + path);
            }
        });
    }

    /** Whether the text already had our part, from another working tree. */
    private static boolean isOurs(String path, @Nullable String text) {
        return text != null && !piece(path).without(text).equals(text);
    }

    private static FilePart piece(String path) {
        return path.endsWith(".json")
                ? new McpEntry("")
                : path.endsWith(".toml") || path.endsWith(EXCLUDE)
                        ? MarkedBlock.toml("", "")
                        : MarkedBlock.markdown("");
    }

    /** Also deletes its folder, if it is empty now. */
    private static void delete(Path top, Path file) {
        try {
            Files.delete(file);
            Path folder = file.getParent();
            if (folder != null && !folder.equals(top)) {
                try (var rest = Files.list(folder)) {
                    if (rest.findAny().isPresent()) {
                        return;
                    }
                }
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw Failure.failed("cannot remove " + file + ": " + IoReason.of(e), e);
        }
    }
}
