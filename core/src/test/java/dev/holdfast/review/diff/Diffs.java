package dev.holdfast.review.diff;

/** Diffs for tests. */
final class Diffs {
    private Diffs() {}

    static Diff read(String text) {
        return switch (Diff.parse(text)) {
            case Diff diff -> diff;
            case DiffProblem problem -> throw new AssertionError(problem + "\n" + text);
        };
    }

    static DiffProblem problem(String text) {
        return switch (Diff.parse(text)) {
            case Diff diff -> throw new AssertionError("read as " + diff);
            case DiffProblem problem -> problem;
        };
    }

    static FileChange file(String text) {
        Diff diff = read(text);
        if (diff.files().size() != 1) {
            throw new AssertionError("not one file: " + diff.files());
        }
        return diff.files().getFirst();
    }

    static ContentHash revision(String text) {
        return ContentHash.of(read(text));
    }
}
