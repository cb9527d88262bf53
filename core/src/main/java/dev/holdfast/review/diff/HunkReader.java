package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hunks of a file. The counts in a hunk's header decide where it ends, because a removed line may look like a
 * header.
 */
final class HunkReader {
    /** How many empty context lines may be missing at the end of the text and are restored. */
    static final int MAX_RESTORED = 20;

    private static final Pattern HEADER =
            Pattern.compile("@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+(\\d{1,9})(?:,(\\d{1,9}))? @@(.*)", Pattern.DOTALL);

    private final DiffText text;
    private int restored;

    HunkReader(DiffText text) {
        this.text = text;
    }

    boolean isAhead() {
        return text.startsWith("@@ -") && HEADER.matcher(text.header()).matches();
    }

    /** How many empty context lines were missing at the end of the text. */
    int restored() {
        return restored;
    }

    List<Hunk> read() {
        if (!text.startsWith("@@ -")) {
            throw text.bad("a hunk (@@ -1,2 +1,3 @@) is expected here");
        }
        List<Hunk> hunks = new ArrayList<>();
        while (text.startsWith("@@ -")) {
            hunks.add(hunk());
        }
        refuseUnannounced();
        return hunks;
    }

    private Hunk hunk() {
        Matcher header = HEADER.matcher(text.header());
        if (!header.matches()) {
            throw text.bad("not a hunk header; one looks like @@ -1,2 +1,3 @@");
        }
        Announced announced = new Announced(text.number(), count(header.group(2)), count(header.group(4)));
        text.skip();
        int from = text.at();
        while (announced.expectsMore() && !(text.atEnd() && announced.mayBeRestored())) {
            announced.take(text);
            text.skip();
            // The marker that the line before it has no newline.
            if (text.first() == '\\') {
                text.skip();
            }
        }
        restored = announced.oldLeft;
        return new Hunk(
                Integer.parseInt(header.group(1)),
                announced.oldCount,
                Integer.parseInt(header.group(3)),
                announced.newCount,
                header.group(5).strip(),
                announced.added,
                announced.removed,
                text.since(from) + " \n".repeat(restored));
    }

    /** A hunk header's counts, and how many lines are still to come. */
    private static final class Announced {
        private final int number;
        private final int oldCount;
        private final int newCount;
        private int oldLeft;
        private int newLeft;
        private int added;
        private int removed;

        Announced(int number, int oldCount, int newCount) {
            this.number = number;
            this.oldCount = oldCount;
            this.newCount = newCount;
            this.oldLeft = oldCount;
            this.newLeft = newCount;
        }

        boolean expectsMore() {
            return oldLeft > 0 || newLeft > 0;
        }

        boolean mayBeRestored() {
            return oldLeft == newLeft && oldLeft <= MAX_RESTORED;
        }

        void take(DiffText text) {
            switch (text.atEnd() ? '\0' : text.first()) {
                case '+' -> {
                    newLeft--;
                    added++;
                }
                case '-' -> {
                    oldLeft--;
                    removed++;
                }
                case ' ', '\n', '\r' -> {
                    oldLeft--;
                    newLeft--;
                }
                default ->
                    throw text.bad(
                            this + ", but ends here with " + oldLeft + " old and " + newLeft + " new ones missing");
            }
            if (oldLeft < 0 || newLeft < 0) {
                throw text.bad(this + ", but this line is one more");
            }
        }

        @Override
        public String toString() {
            return "the hunk at line " + number + " announces " + oldCount + " old and " + newCount + " new lines";
        }
    }

    /**
     * A mail signature ("-- ") or the next file's header ("--- ") may follow a hunk, but no line that looks like part
     * of it.
     */
    private void refuseUnannounced() {
        while (!text.atEnd() && text.isBlank()) {
            text.skip();
        }
        boolean signature = text.startsWith("-- \n") || text.startsWith("-- \r\n") || text.startsWith("--\n");
        boolean nextFile = text.startsWith("--- ") && text.aheadStartsWith(1, "+++ ");
        switch (text.first()) {
            case '+', '-', ' ' -> {
                if (!signature
                        && !nextFile
                        && !text.header().isBlank()
                        && !text.header().equals("--")) {
                    throw text.bad("the hunk before this line announces fewer lines than follow it;"
                            + " correct the numbers in its @@ line");
                }
            }
            default -> {}
        }
    }

    private static int count(@Nullable String digits) {
        return digits == null ? 1 : Integer.parseInt(digits);
    }
}
