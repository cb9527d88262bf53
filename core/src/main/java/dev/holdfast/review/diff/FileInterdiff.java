package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What changed in one file between two rounds.
 *
 * @param path where the file is in the later round; in the earlier one, if the later one does not have it
 * @param notes what changed besides lines: operation, mode, path, binary content
 * @param hunks from the earlier round's content (old side) to the later one's (new side)
 */
public record FileInterdiff(String path, Status status, List<String> notes, List<Hunk> hunks) {
    /** A file with more lines than this is not compared line by line. */
    static final int MAX_LINES = 200_000;

    /** How the two rounds' changes of the file compare. */
    public enum Status {
        UNCHANGED,
        CHANGED,
        /** The change is the same, but untouched lines around it differ. */
        CONTEXT_CHANGED,
        /** The later round no longer touches the file. */
        ONLY_BEFORE,
        /** The earlier round did not touch the file. */
        ONLY_AFTER
    }

    public FileInterdiff {
        notes = List.copyOf(notes);
        hunks = List.copyOf(hunks);
    }

    static FileInterdiff between(List<FileChange> before, List<FileChange> after) {
        String path = (after.isEmpty() ? before : after).getFirst().path();
        List<String> notes = new ArrayList<>();
        if (!before.isEmpty() && !after.isEmpty()) {
            noteHeaders(summary(before), summary(after), notes);
        }
        if (!binaries(before).equals(binaries(after))) {
            notes.add("binary content differs");
        }
        boolean sameLines = bodies(before).equals(bodies(after));
        boolean tooLong = !sameLines && Math.max(lineCount(before), lineCount(after)) > MAX_LINES;
        if (tooLong) {
            notes.add("its lines differ; it is too long to compare them one by one");
        }
        List<Hunk> hunks = sameLines || tooLong ? List.of() : new LineComparison(lines(before), lines(after)).hunks();
        return new FileInterdiff(path, status(before, after, sameLines, notes, hunks), notes, hunks);
    }

    private static Status status(
            List<FileChange> before, List<FileChange> after, boolean sameLines, List<String> notes, List<Hunk> hunks) {
        if (after.isEmpty()) {
            return Status.ONLY_BEFORE;
        }
        if (before.isEmpty()) {
            return Status.ONLY_AFTER;
        }
        if (!notes.isEmpty() || !hunks.isEmpty()) {
            return Status.CHANGED;
        }
        return sameLines ? Status.UNCHANGED : Status.CONTEXT_CHANGED;
    }

    private static void noteHeaders(AffectedFile before, AffectedFile after, List<String> notes) {
        note("path", before.path(), after.path(), notes);
        note("operation", before.operation(), after.operation(), notes);
        note("old path", before.oldPath(), after.oldPath(), notes);
        note("old mode", before.oldMode(), after.oldMode(), notes);
        note("mode", before.newMode(), after.newMode(), notes);
    }

    private static void note(String what, @Nullable String before, @Nullable String after, List<String> notes) {
        if (!Objects.equals(before, after)) {
            notes.add(what + " was " + (before == null ? "unchanged" : before) + ", is "
                    + (after == null ? "unchanged" : after));
        }
    }

    private static AffectedFile summary(List<FileChange> changes) {
        return changes.stream().map(AffectedFile::of).reduce(AffectedFile::then).orElseThrow();
    }

    private static List<FileChange.Binary> binaries(List<FileChange> changes) {
        List<FileChange.Binary> binaries = new ArrayList<>();
        for (FileChange change : changes) {
            FileChange.Binary binary = change.binary();
            if (binary != null) {
                binaries.add(binary.patch() == null ? binary : new FileChange.Binary(binary.patch(), null));
            }
        }
        return binaries;
    }

    private static List<String> bodies(List<FileChange> changes) {
        return changes.stream()
                .flatMap(change -> change.hunks().stream())
                .map(Hunk::body)
                .toList();
    }

    private static int lineCount(List<FileChange> changes) {
        return changes.stream().mapToInt(FileChange::lineCount).sum();
    }

    private static List<DiffLine> lines(List<FileChange> changes) {
        List<DiffLine> lines = new ArrayList<>();
        changes.forEach(change -> lines.addAll(change.lines()));
        return lines;
    }

    void writeTo(StringBuilder text) {
        switch (status) {
            case UNCHANGED -> {
                return;
            }
            case CONTEXT_CHANGED ->
                text.append("# ").append(path).append(": only the lines around the change differ\n");
            case ONLY_BEFORE -> text.append("# ").append(path).append(": no longer changed\n");
            case ONLY_AFTER -> text.append("# ").append(path).append(": newly changed\n");
            case CHANGED -> {}
        }
        notes.forEach(
                note -> text.append("# ").append(path).append(": ").append(note).append('\n'));
        if (!hunks.isEmpty()) {
            text.append("--- ").append(path).append("\tbefore\n");
            text.append("+++ ").append(path).append("\tafter\n");
            hunks.forEach(hunk -> hunk.writeTo(text));
        }
    }
}
