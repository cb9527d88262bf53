package dev.holdfast.review.finding;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.record.Excerpt;
import dev.holdfast.review.record.ReviewLimits;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's remarks about findings, sent with a verdict or comment.
 *
 * @param resolved ids of the reviewer's own findings that are fixed or were mistaken
 */
public record Remarks(List<Raised> raised, Set<String> resolved, List<Waiver> waived) {
    public static final Remarks NONE = new Remarks(List.of(), Set.of(), List.of());

    /** Whether it resolves or waives any findings. */
    public boolean settles() {
        return !resolved.isEmpty() || !waived.isEmpty();
    }

    /** The maximum number of findings that one verdict may raise, and that it may waive. */
    public static final int MAX_AT_ONCE = 50;

    /** The maximum number of findings in all rounds of a review. */
    public static final int MAX_OF_A_REVIEW = 500;

    public static final int LONGEST_PATH = 4_096;
    public static final int LONGEST_MESSAGE = 4_000;
    public static final int LONGEST_SUGGESTION = 10_000;

    /** The maximum number of lines that one finding may be about. */
    public static final int MAX_LINES = 1_000;

    /**
     * A new finding.
     *
     * @param start the first of its lines
     * @param line its number on that side, from 1, or that of its last line; the round's diff must show it.
     *     {@link Anchor#WHOLE_FILE} if it is about the file
     */
    public record Raised(
            String path,
            Side side,
            int start,
            int line,
            Severity severity,
            String message,
            @Nullable String suggestion) {
        /** About one line, or about the file. */
        public Raised(
                String path, Side side, int line, Severity severity, String message, @Nullable String suggestion) {
            this(path, side, line, line, severity, message, suggestion);
        }

        /** How many lines it is about. */
        int lines() {
            return line - start + 1;
        }
    }

    /** A finding that is wrong, or that matters less than moving on. */
    public record Waiver(String id, String reason) {}

    public Remarks {
        raised = List.copyOf(raised);
        resolved = Set.copyOf(resolved);
        waived = List.copyOf(waived);
    }

    public static Remarks raise(Raised... raised) {
        return new Remarks(List.of(raised), Set.of(), List.of());
    }

    public static Remarks resolve(String... ids) {
        return new Remarks(List.of(), Set.of(ids), List.of());
    }

    public static Remarks waive(String id, String reason) {
        return new Remarks(List.of(), Set.of(), List.of(new Waiver(id, reason)));
    }

    public Remarks checked() {
        if (raised.size() > MAX_AT_ONCE || resolved.size() > MAX_AT_ONCE || waived.size() > MAX_AT_ONCE) {
            throw new RefusedException(
                    RefusalCode.TOO_LARGE,
                    "A verdict raises, resolves or waives at most " + MAX_AT_ONCE + " findings at once");
        }
        for (int i = 0; i < raised.size(); i++) {
            Raised finding = raised.get(i);
            String name = "findings[" + i + "]";
            ReviewLimits.text(name + ".path", finding.path(), LONGEST_PATH);
            if (finding.start() > finding.line() || finding.lines() > MAX_LINES) {
                throw new RefusedException(
                        RefusalCode.INVALID,
                        name + ": start_line is the first of at most " + MAX_LINES + " lines, and line the last");
            }
            ReviewLimits.required(
                    name + ".message", ReviewLimits.text(name + ".message", finding.message(), LONGEST_MESSAGE));
            if (finding.suggestion() != null) {
                ReviewLimits.text(name + ".suggestion", finding.suggestion(), LONGEST_SUGGESTION);
            }
        }
        for (Waiver waiver : waived) {
            String name = "the reason to waive " + Excerpt.of(waiver.id(), 20);
            ReviewLimits.required(name, ReviewLimits.text(name, waiver.reason(), LONGEST_MESSAGE));
        }
        return this;
    }

    /** An approval that names something to fix first would contradict itself. */
    public void checkFitsApproval() {
        for (int i = 0; i < raised.size(); i++) {
            if (raised.get(i).severity() == Severity.MUST_FIX) {
                throw new RefusedException(
                        RefusalCode.INVALID,
                        "An approval cannot raise a must_fix finding (findings[" + i
                                + "]): give the verdict changes_requested, or make it should_fix or note");
            }
        }
    }
}
