package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One file's part of a diff. Paths are without the {@code a/} and {@code b/} of the text, and unquoted.
 *
 * @param oldPath null when the file is created
 * @param newPath null when the file is deleted
 * @param oldMode what {@code old mode} or {@code deleted file mode} says
 * @param newMode what {@code new mode} or {@code new file mode} says
 * @param oldBlob git's id of the old content, in full or its beginning; null when the diff does not say
 * @param keptMode the mode that stays, which ends the {@code index} line: a link's target is a text, too
 * @param spelling what in the names is not as git writes them by itself; empty: nothing
 * @param binary how the content changes when it is not shown as lines
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
     * @param patch the lines of a {@code GIT binary patch}, or null when the text only says that the files differ
     * @param blobs the two blob ids of the {@code index} line, or null when there is none
     */
    public record Binary(@Nullable String patch, @Nullable String blobs) {}

    public FileChange {
        hunks = List.copyOf(hunks);
        if (oldPath == null && newPath == null) {
            throw new IllegalArgumentException("a changed file has a path");
        }
    }

    /** Returns where the file is after the change; where it was, when it is deleted. */
    public String path() {
        return newPath != null ? newPath : Objects.requireNonNull(oldPath);
    }

    /** Whether it goes to some lines of a file that is there before and after; else it is about the file as a whole. */
    public boolean hasPlace() {
        return !hunks.isEmpty() && operation != Operation.CREATE && operation != Operation.DELETE;
    }

    /** Whether it changes the content of a file that is there before, so that it matters which one that is. */
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
