package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.queue.ReviewClaims;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts what reviewers do: claims, verdicts, and calls refused because of their fence. */
record ReviewMeters(Meters meters) {
    ReviewClaims.Outcome claim(Supplier<ReviewClaims.Outcome> claim) {
        return timed(claim, (outcome, start) -> {
            switch (outcome) {
                case ReviewClaims.Granted granted -> count(granted, start);
                case ReviewClaims.AutoRejected _ -> refused(RefusalCode.NOT_CLAIMABLE, start);
            }
        });
    }

    Optional<ReviewClaims.Granted> claimNext(Supplier<Optional<ReviewClaims.Granted>> claim) {
        return timed(
                claim,
                (next, start) -> next.ifPresentOrElse(
                        granted -> count(granted, start), () -> count(Meters.Granted.NOTHING, false, start)));
    }

    private interface Counting<T> {
        void count(T outcome, long start);
    }

    private <T> T timed(Supplier<T> claim, Counting<T> counting) {
        long start = System.nanoTime();
        try {
            T outcome = claim.get();
            counting.count(outcome, start);
            return outcome;
        } catch (RefusedException refused) {
            refused(refused.code(), start);
            throw refused;
        }
    }

    private void count(ReviewClaims.Granted granted, long start) {
        count(
                granted.repeated() ? Meters.Granted.ALREADY_HELD : Meters.Granted.GRANTED,
                granted.displaced() != null,
                start);
    }

    private void count(Meters.Granted how, boolean takenOver, long start) {
        meters.claimed(Kind.REVIEW, how, takenOver, System.nanoTime() - start);
    }

    private void refused(RefusalCode code, long start) {
        meters.refused(Kind.REVIEW, code, System.nanoTime() - start);
    }

    void verdict(String verdict) {
        meters.verdict(verdict);
    }

    /** Counts a refused change that needs a valid fence. Refusals because of the review's state are not counted. */
    RefusedException fenced(RefusedException refused) {
        if (refused.code() != RefusalCode.BAD_STATE) {
            meters.fenced(Kind.REVIEW, refused.code());
        }
        return refused;
    }
}
