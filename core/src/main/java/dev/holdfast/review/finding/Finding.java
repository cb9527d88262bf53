package dev.holdfast.review.finding;

import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.record.Excerpt;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's finding on a line or file of a proposal, and its state.
 *
 * @param number within its review
 * @param path in the current content if it is open; otherwise where it was raised
 * @param line the last of its lines; {@link Anchor#WHOLE_FILE} if it is about the file
 * @param lines how many lines it is about
 * @param raisedLine its line in the content it was raised on
 * @param excerpt the line it was raised on; for a long line, its beginning
 * @param round in which it was raised
 * @param settled who resolved or waived it; empty if nobody did, even if its lines are gone
 * @param past its state in each round after its own, as far as it was recorded, before anybody settled it
 */
public record Finding(
        int number,
        State state,
        Severity severity,
        String path,
        Side side,
        int line,
        int lines,
        int raisedLine,
        String excerpt,
        String message,
        @Nullable String suggestion,
        int round,
        @Nullable String raisedBy,
        Instant raisedAt,
        Optional<Settled> settled,
        List<State> past) {
    /** How many characters of its line are kept. */
    private static final int LONGEST_EXCERPT = 200;

    /** The state of a finding. */
    public enum State {
        /** Its line and the neighbouring lines are unchanged. */
        OPEN,
        /** They have changed since: somebody must check whether it still holds. */
        OUTDATED,
        /** Resolved by whoever raised it, or because the line is no longer part of the change. */
        RESOLVED,
        WAIVED;

        private final String word = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return word;
        }
    }

    /** @param reason why it was waived; null if it was resolved */
    public record Settled(@Nullable String by, @Nullable String reason, Instant at) {}

    /** The id that users see. */
    public String id() {
        return id(number);
    }

    static String id(int number) {
        return "f" + number;
    }

    /** Whether it blocks approval. A changed line is not necessarily fixed: somebody must have looked at it. */
    public boolean blocks() {
        return severity == Severity.MUST_FIX && stands();
    }

    /** Neither resolved nor waived. */
    public boolean stands() {
        return state == State.OPEN || state == State.OUTDATED;
    }

    /** Whether it is about the file rather than one of its lines. */
    public boolean ofWholeFile() {
        return line == Anchor.WHOLE_FILE;
    }

    /** The part of a line that is kept with a finding. */
    static String excerpt(String line) {
        return Excerpt.of(line, LONGEST_EXCERPT);
    }

    /** Whether a line has the text of the line it was raised on. */
    public boolean isAbout(String text) {
        return excerpt.equals(excerpt(text));
    }

    /** The first of its lines. */
    public int start() {
        return line - lines + 1;
    }

    public String place() {
        return ofWholeFile() ? path : path + ":" + (lines == 1 ? "" : start() + "-") + line;
    }

    /** As worded in a refusal. */
    String described() {
        return id() + " (" + severity + ", " + state + ") at " + place()
                + (side == Side.OLD ? " of the old content" : "") + ", raised by "
                + (raisedBy == null ? "an unnamed reviewer" : raisedBy) + " in round " + round + ": "
                + Excerpt.of(message, 100);
    }
}
