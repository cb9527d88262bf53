package dev.holdfast.review;

import static dev.holdfast.review.Status.APPROVED;
import static dev.holdfast.review.Status.CHANGES_REQUESTED;
import static dev.holdfast.review.Status.CLAIMED;
import static dev.holdfast.review.Status.CLOSED;
import static dev.holdfast.review.Status.IN_REVIEW;
import static dev.holdfast.review.Status.PENDING;
import static dev.holdfast.review.Status.WITHDRAWN;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import java.util.List;
import java.util.Set;

/** The one table of what a review may become, and by whom. */
final class Transitions {
    /** Who causes a transition. */
    enum By {
        PROPOSER,
        REVIEWER,
        BROKER
    }

    private record Transition(Status from, Status to, Set<By> by) {}

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

    private static Transition of(Status from, Status to, By... by) {
        return new Transition(from, to, Set.of(by));
    }

    static boolean allowed(Status from, Status to, By by) {
        return TABLE.stream().anyMatch(row -> row.from == from && row.to == to && row.by.contains(by));
    }

    /** @throws RefusedException naming what it could become instead */
    static void check(Status from, Status to, By by) {
        if (!allowed(from, to, by)) {
            throw invalid(from, to, RefusalCode.BAD_STATE);
        }
    }

    static RefusedException invalid(Status from, Status to, RefusalCode code) {
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
