package dev.holdfast.review.finding;

import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.record.Excerpt;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a reviewer found at a line or in a file of a proposal, and how it stands.
 *
 * @param number within its review
 * @param path where it is in the current content when it is open; else where it was raised
 * @param line {@link Anchor#WHOLE_FILE}: it is about the file
 * @param raisedLine where it was in the content that it was raised on
 * @param excerpt the line that it was raised at; of a long one the beginning
 * @param round in which it was raised
 * @param settled who resolved or waived it; empty: nobody, also when the lines are gone
 */
public record Finding(
        int number,
        State state,
        Severity severity,
        String path,
        Side side,
        int line,
        int raisedLine,
        String excerpt,
        String message,
        @Nullable String suggestion,
        int round,
        @Nullable String raisedBy,
        Instant raisedAt,
        Optional<Settled> settled) {
    /** So many characters of its line are kept. */
    private static final int LONGEST_EXCERPT = 200;

    /** How a finding stands. */
    public enum State {
        /** Its line and the ones beside it are as they were. */
        OPEN,
        /** They were changed since: somebody must look whether it still holds. */
        OUTDATED,
        /** By whoever raised it, or because the line is no part of the change any more. */
        RESOLVED,
        WAIVED;

        private final String word = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return word;
        }
    }

    /** @param reason why it was waived; null: it was resolved */
    public record Settled(@Nullable String by, @Nullable String reason, Instant at) {}

    /** How everybody calls it. */
    public String id() {
        return id(number);
    }

    static String id(int number) {
        return "f" + number;
    }

    /** Nothing is approved while it stands. What was changed is not yet fixed: somebody must have looked. */
    public boolean blocks() {
        return severity == Severity.MUST_FIX && stands();
    }

    /** Neither resolved nor waived. */
    public boolean stands() {
        return state == State.OPEN || state == State.OUTDATED;
    }

    /** It is about the file, not about one of its lines. */
    public boolean ofWholeFile() {
        return line == Anchor.WHOLE_FILE;
    }

    /** What is kept of the line that a finding is raised at. */
    static String excerpt(String line) {
        return Excerpt.of(line, LONGEST_EXCERPT);
    }

    /** Whether a line says what the one said that it was raised at. */
    public boolean isAbout(String text) {
        return excerpt.equals(excerpt(text));
    }

    /** Where it is. */
    public String place() {
        return ofWholeFile() ? path : path + ":" + line;
    }

    /** In a sentence of a refusal. */
    String described() {
        return id() + " (" + severity + ", " + state + ") at " + place()
                + (side == Side.OLD ? " of the old content" : "") + ", raised by "
                + (raisedBy == null ? "an unnamed reviewer" : raisedBy) + " in round " + round + ": "
                + Excerpt.of(message, 100);
    }
}
