package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Provides whole files from a folder. A changed file is used only if the folder has it as it was before the change, or
 * as it is after it, at every line that the diff shows; otherwise it is a different file.
 */
public record FolderContents(Path folder) implements Contents {
    private static final long LARGEST = 8 << 20;

    @Override
    public Optional<String> after(FileChange file, List<DiffLine> lines) {
        Optional<String> created = OF_THE_DIFF.after(file, lines);
        String newPath = file.newPath();
        if (created.isPresent() || newPath == null || file.binary() != null) {
            return created;
        }
        return read(file.oldPath() == null ? newPath : file.oldPath())
                .flatMap(before -> changed(before, lines))
                .or(() -> read(newPath).filter(after -> isAfter(after, lines)));
    }

    /** A diff's paths are untrusted: nothing outside the folder is read, not even through links. */
    private Optional<String> read(String path) {
        try {
            Path top = folder.toRealPath();
            Path file = top.resolve(path).toRealPath();
            if (!file.startsWith(top) || !Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException _) {
            return Optional.empty(); // not there, or not text
        }
    }

    private static Optional<String> changed(String before, List<DiffLine> lines) {
        List<String> old = split(before);
        StringBuilder after = new StringBuilder(before.length());
        int next = 1;
        for (DiffLine line : lines) {
            if (line.kind() == DiffLine.Kind.ADDED) {
                next = copy(old, next, line.oldNumber(), after);
                after.append(line.text()).append(line.noNewline() ? "" : "\n");
                continue;
            }
            next = copy(old, next, line.oldNumber(), after);
            if (next > old.size() || !same(old.get(next - 1), line)) {
                return Optional.empty();
            }
            if (line.kind() == DiffLine.Kind.CONTEXT) {
                after.append(old.get(next - 1));
            }
            next++;
        }
        copy(old, next, old.size() + 1, after);
        return Optional.of(after.toString());
    }

    /** Copies the lines up to this one, and returns the index of the next. */
    private static int copy(List<String> old, int from, int to, StringBuilder into) {
        int next = from;
        while (next < to && next <= old.size()) {
            into.append(old.get(next++ - 1));
        }
        return next;
    }

    private static boolean isAfter(String text, List<DiffLine> lines) {
        List<String> all = split(text);
        return lines.stream()
                .filter(line -> line.kind() != DiffLine.Kind.REMOVED)
                .allMatch(line -> line.newNumber() <= all.size() && same(all.get(line.newNumber() - 1), line));
    }

    private static boolean same(String withNewline, DiffLine line) {
        return withNewline.equals(line.noNewline() ? line.text() : line.text() + "\n");
    }

    /** The lines, each with its newline. */
    private static List<String> split(String text) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            int next = end < 0 ? text.length() : end + 1;
            lines.add(text.substring(at, next));
            at = next;
        }
        return lines;
    }
}
