package dev.holdfast.review.record;

import static dev.holdfast.review.record.ReviewStatus.APPROVED;
import static dev.holdfast.review.record.ReviewStatus.CHANGES_REQUESTED;
import static dev.holdfast.review.record.ReviewStatus.CLAIMED;
import static dev.holdfast.review.record.ReviewStatus.CLOSED;
import static dev.holdfast.review.record.ReviewStatus.IN_REVIEW;
import static dev.holdfast.review.record.ReviewStatus.PENDING;
import static dev.holdfast.review.record.ReviewStatus.WITHDRAWN;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import java.util.List;
import java.util.Set;

/** The one table of a review's status transitions, and who may make them. */
public final class Transitions {
    /** Who causes a transition. */
    public enum By {
        PROPOSER,
        REVIEWER,
        BROKER
    }

    private record Transition(ReviewStatus from, ReviewStatus to, Set<By> by) {}

    private static final List<Transition> TABLE = List.of(
            of(PENDING, CLAIMED, By.REVIEWER),
            of(PENDING, CHANGES_REQUESTED, By.BROKER), // the diff no longer applies
            of(PENDING, WITHDRAWN, By.PROPOSER),
            of(CLAIMED, APPROVED, By.REVIEWER),
            of(CLAIMED, CHANGES_REQUESTED, By.REVIEWER, By.BROKER),
            of(CLAIMED, PENDING, By.REVIEWER, By.PROPOSER, By.BROKER), // release, revision, reclaim
            of(CLAIMED, WITHDRAWN, By.PROPOSER),
            of(IN_REVIEW, APPROVED, By.REVIEWER),
            of(IN_REVIEW, CHANGES_REQUESTED, By.REVIEWER),
            of(IN_REVIEW, PENDING, By.PROPOSER, By.BROKER),
            of(IN_REVIEW, WITHDRAWN, By.PROPOSER),
            of(APPROVED, CLOSED, By.PROPOSER),
            of(APPROVED, WITHDRAWN, By.PROPOSER),
            of(CHANGES_REQUESTED, PENDING, By.PROPOSER), // a revision, or a message
            of(CHANGES_REQUESTED, WITHDRAWN, By.PROPOSER));

    private Transitions() {}

    private static Transition of(ReviewStatus from, ReviewStatus to, By... by) {
        return new Transition(from, to, Set.of(by));
    }

    static boolean allowed(ReviewStatus from, ReviewStatus to, By by) {
        return TABLE.stream().anyMatch(row -> row.from == from && row.to == to && row.by.contains(by));
    }

    /** @throws RefusedException naming the transitions that are possible */
    public static void check(ReviewStatus from, ReviewStatus to, By by) {
        if (!allowed(from, to, by)) {
            throw invalid(from, to, RefusalCode.BAD_STATE);
        }
    }

    public static RefusedException invalid(ReviewStatus from, ReviewStatus to, RefusalCode code) {
        List<String> targets = TABLE.stream()
                .filter(row -> row.from == from)
                .map(row -> "'" + row.to + "'")
                .sorted()
                .toList();
        return new RefusedException(
                code,
                "Invalid transition: " + from + " -> " + to + ". Valid targets from " + from + ": ["
                        + String.join(", ", targets) + "]");
    }
}
