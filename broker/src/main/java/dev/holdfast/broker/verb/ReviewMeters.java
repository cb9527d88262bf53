package dev.holdfast.broker.verb;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.queue.ReviewClaims;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts what reviewers do: claims, verdicts, and what was refused because of the claim shown. */
final class ReviewMeters {
    private final Meters meters;

    ReviewMeters(Meters meters) {
        this.meters = meters;
    }

    ReviewClaims.Outcome claim(Supplier<ReviewClaims.Outcome> claim) {
        long start = System.nanoTime();
        try {
            ReviewClaims.Outcome outcome = claim.get();
            switch (outcome) {
                case ReviewClaims.Granted granted -> count(granted, start);
                case ReviewClaims.AutoRejected _ -> refused(RefusalCode.NOT_CLAIMABLE, start);
            }
            return outcome;
        } catch (RefusedException refused) {
            refused(refused.code(), start);
            throw refused;
        }
    }

    Optional<ReviewClaims.Granted> claimNext(Supplier<Optional<ReviewClaims.Granted>> claim) {
        long start = System.nanoTime();
        try {
            Optional<ReviewClaims.Granted> next = claim.get();
            next.ifPresentOrElse(granted -> count(granted, start), () -> count(Meters.Granted.NOTHING, false, start));
            return next;
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

    /** The verb that judges: each verdict counts once, however often it is repeated. */
    Verb judging(Verb verdict) {
        Verb fenced = fenced(verdict);
        return fenced.handledBy(given -> {
            Answer answer = fenced.handler().answer(given);
            if (!answer.body().containsKey("error") && !answer.body().containsKey("replayed")) {
                meters.verdict(given.text("verdict"));
            }
            return answer;
        });
    }

    /** A verb that needs the claim shown. A state that does not allow it is no matter of claims. */
    Verb fenced(Verb verb) {
        return verb.handledBy(given -> {
            try {
                return verb.handler().answer(given);
            } catch (RefusedException refused) {
                if (refused.code() != RefusalCode.BAD_STATE) {
                    meters.fenced(Kind.REVIEW, refused.code());
                }
                throw refused;
            }
        });
    }
}
