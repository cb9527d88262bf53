package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One file's part of a diff. Paths are unquoted and without the {@code a/} and {@code b/} of the text.
 *
 * @param oldPath null if the file is created
 * @param newPath null if the file is deleted
 * @param oldMode from {@code old mode} or {@code deleted file mode}
 * @param newMode from {@code new mode} or {@code new file mode}
 * @param oldBlob git's id of the old content, in full or abbreviated; null if the diff does not say
 * @param keptMode the unchanged mode, at the end of the {@code index} line; it matters because a link's target is text
 *     like a file's content
 * @param spelling how the names deviate from the way git writes them; empty if they do not
 * @param binary how the content changes if it is not shown as lines
 */
public record FileChange(
        Operation operation,
        @Nullable String oldPath,
        @Nullable String newPath,
        @Nullable String oldMode,
        @Nullable String newMode,
        @Nullable String oldBlob,
        @Nullable String keptMode,
        String spelling,
        @Nullable Binary binary,
        List<Hunk> hunks) {
    /**
     * Binary content.
     *
     * @param patch the lines of a {@code GIT binary patch}, or null if the text only says that the files differ
     * @param blobs the two blob ids of the {@code index} line, or null if there is none
     */
    public record Binary(@Nullable String patch, @Nullable String blobs) {}

    public FileChange {
        hunks = List.copyOf(hunks);
        if (oldPath == null && newPath == null) {
            throw new IllegalArgumentException("a changed file has a path");
        }
    }

    /** Returns the path after the change or, for a deleted file, the path before it. */
    public String path() {
        return newPath != null ? newPath : Objects.requireNonNull(oldPath);
    }

    /**
     * Whether it changes certain lines of a file that exists before and after; otherwise it is about the whole file.
     */
    public boolean hasPlace() {
        return !hunks.isEmpty() && operation != Operation.CREATE && operation != Operation.DELETE;
    }

    /** Whether it changes the content of a file that exists before, so that the file's version matters. */
    boolean hasBase() {
        return (binary != null || !hunks.isEmpty()) && operation != Operation.CREATE && operation != Operation.DELETE;
    }

    public int added() {
        return hunks.stream().mapToInt(Hunk::added).sum();
    }

    public int removed() {
        return hunks.stream().mapToInt(Hunk::removed).sum();
    }

    int lineCount() {
        return hunks.stream().mapToInt(Hunk::lineCount).sum();
    }

    List<DiffLine> lines() {
        List<DiffLine> lines = new ArrayList<>(lineCount());
        hunks.forEach(hunk -> lines.addAll(hunk.lines()));
        return lines;
    }
}
