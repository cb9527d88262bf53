package dev.holdfast.cli.hooks;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.settings.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.Map;

/** A host's settings file. Its state before our hooks is kept next to it, and restored when they are removed. */
final class SettingsFile {
    private static final String STAND_IN =
            "{\"hooks\":[{\"type\":\"command\",\"command\":\"sh /" + AgentHost.SCRIPT + "\"}]}";

    private final Path file;
    private final Path former;

    SettingsFile(Path file) {
        if (Files.isSymbolicLink(file) && !Files.exists(file)) {
            throw Failure.invalid(file + " is a link to a file that does not exist; fix that first");
        }
        try {
            // people keep their settings elsewhere and link to them
            this.file = Files.exists(file) ? file.toRealPath() : file;
        } catch (IOException e) {
            throw Failure.failed("cannot read " + file + ": " + IoReason.of(e), e);
        }
        former = this.file.resolveSibling(this.file.getFileName() + ".before-holdfast");
    }

    Path path() {
        return file;
    }

    SettingsText text() {
        return read(file);
    }

    /** False when nothing had to change. */
    boolean install(Map<String, String> groups) {
        try {
            SettingsText now = read(file);
            if (now.ours().equals(SettingsText.EMPTY.with(groups).ours())) {
                return false;
            }
            SettingsText wanted = with(now, groups);
            refuseReadOnly();
            if (Files.exists(file) && now.ours().isEmpty()) {
                Files.copy(file, former, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            }
            write(wanted);
            return true;
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + IoReason.of(e), e);
        }
    }

    /**
     * Refuses a read-only file although it could be replaced: its owner, or the program that manages it, does not want
     * it changed.
     */
    private void refuseReadOnly() throws IOException {
        if (Files.exists(file)
                && !(Files.isWritable(file)
                        && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_WRITE))) {
            throw Failure.failed(file + " is read-only; make it writable first. Nothing was changed", null);
        }
    }

    private SettingsText with(SettingsText now, Map<String, String> groups) {
        try {
            return now.with(groups);
        } catch (Failure e) {
            throw Failure.invalid(file + ": " + e.text());
        }
    }

    /** False when nothing of ours was there. */
    boolean uninstall() {
        try {
            SettingsText now = read(file);
            if (now.ours().isEmpty()) {
                return false;
            }
            refuseReadOnly();
            SettingsText without = now.without();
            if (Files.exists(former) && isFormer(now, without)) {
                Files.move(former, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } else if (!Files.exists(former) && without.isEmpty()) {
                Files.delete(file);
            } else {
                write(without);
                Files.deleteIfExists(former);
            }
            return true;
        } catch (IOException e) {
            throw Failure.failed("cannot change " + file + ": " + IoReason.of(e), e);
        }
    }

    /**
     * Whether nobody else has changed anything since: adding and removing our hooks must give the same result for both.
     */
    private boolean isFormer(SettingsText now, SettingsText without) throws IOException {
        Map<String, String> groups = new LinkedHashMap<>();
        now.ours().keySet().forEach(event -> groups.put(event, STAND_IN));
        return read(former).with(groups).without().equals(without);
    }

    private static SettingsText read(Path path) {
        String text = new TextFile(path).read();
        try {
            return text == null || text.isBlank() ? SettingsText.EMPTY : new SettingsText(text).checked();
        } catch (Failure e) {
            throw Failure.invalid(path + ": " + e.text());
        }
    }

    private void write(SettingsText text) throws IOException {
        new TextFile(file).write(text.text());
    }
}
