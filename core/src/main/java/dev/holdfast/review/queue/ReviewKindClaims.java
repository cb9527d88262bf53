package dev.holdfast.review.queue;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Claims and releases reviews like any other resource, as {@code review:<id>}, under the same rules as the review
 * verbs.
 */
public record ReviewKindClaims(ReviewClaims claiming, NextReview next, ReviewWatch watch, Caller caller)
        implements KindClaims {
    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        if (asked.under() != null) {
            throw new InvalidException(
                    asked.resource() + " cannot be claimed under another claim; claim it without under");
        }
        return watch.until(
                ReviewWatch.topic(asked.resource().id()),
                asked.patience(),
                () -> attempt(asked),
                outcome -> !(outcome instanceof Refusal.Held));
    }

    private ClaimOutcome attempt(ClaimRequest asked) {
        try {
            return switch (claiming.claim(asked, caller)) {
                case ReviewClaims.Granted granted -> outcome(granted);
                case ReviewClaims.AutoRejected _ ->
                    new Refusal.NotClaimable(
                            asked.resource(), "back with its proposer, because its diff no longer applies");
            };
        } catch (RefusedException refused) {
            return refusal(asked.resource(), refused);
        }
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        if (asked.filter().labels().size() > 1) {
            return new ClaimOutcome.Nothing(); // a review has at most one label of this kind, its category
        }
        @Nullable String category = asked.filter().labels().stream().findFirst().orElse(null);
        try {
            return next.claim(
                            new NextReview.Request(
                                    asked.holder(),
                                    asked.filter().queue(),
                                    category,
                                    asked.ttl(),
                                    asked.requestId(),
                                    asked.patience()),
                            caller)
                    .map(ReviewKindClaims::outcome)
                    .orElseGet(ClaimOutcome.Nothing::new);
        } catch (RefusedException refused) {
            return refused.asRefusal(asked.kind() + "s");
        }
    }

    private static ClaimOutcome outcome(ReviewClaims.Granted granted) {
        return granted.repeated()
                ? new ClaimOutcome.AlreadyHeld(granted.claim(), granted.note())
                : new ClaimOutcome.Granted(granted.claim(), granted.displaced(), granted.note());
    }

    @Override
    public EndOutcome release(Resource resource, Fence fence, Ending ending) {
        if (ending.keepStatus()) {
            throw new InvalidException(
                    "keep_status does not apply to reviews: one that nobody holds is pending; release " + resource
                            + " without it");
        }
        try {
            return claiming.end(resource.id(), fence, ending);
        } catch (RefusedException refused) {
            return refusal(resource, refused);
        }
    }

    private static Refusal refusal(Resource resource, RefusedException refused) {
        return refused.code() == RefusalCode.NOT_FOUND
                ? new Refusal.NotFound(resource)
                : refused.asRefusal(resource.toString());
    }
}
