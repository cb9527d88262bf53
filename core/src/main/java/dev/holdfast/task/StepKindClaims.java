package dev.holdfast.task;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import java.util.Objects;

/** Hands out steps to callers that name them {@code step:<id>}, by the rules of tasks. */
record StepKindClaims(Claims claims, Steps steps) implements KindClaims {
    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        if (asked.under() != null) {
            throw new InvalidException(
                    asked.resource() + " cannot be claimed under another claim; claim it without under");
        }
        Refusal over = new Refusal.NotClaimable(asked.resource(), "over, because its task has ended");
        if (steps.hasEnded(asked.resource().id())) {
            return over;
        }
        ClaimOutcome outcome = claims.claim(asked);
        return taskGoesOn(outcome) ? outcome : over;
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        ClaimOutcome outcome = claims.claimNext(asked);
        while (!taskGoesOn(outcome)) {
            outcome = claims.claimNext(asked);
        }
        return outcome;
    }

    private boolean taskGoesOn(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted _, ClaimOutcome.AlreadyHeld _ ->
                steps.given(outcome).isPresent();
            case ClaimOutcome.Nothing _ -> true;
            case Refusal _ -> true;
        };
    }

    @Override
    public EndOutcome release(Resource resource, Fence fence, Ending ending) {
        if (ending.keepStatus()) {
            throw new InvalidException("keep_status does not apply to steps: one that nobody holds is ready; release "
                    + resource + " without it");
        }
        if (ending.how() == Ending.How.RELEASED) {
            return claims.release(resource, fence, ending);
        }
        try {
            Steps.Ended ended = ending.how() == Ending.How.COMPLETED
                    ? steps.complete(resource.id(), fence, null)
                    : steps.fail(
                            resource.id(), fence, Objects.requireNonNullElse(ending.note(), "no reason given"), true);
            return new EndOutcome.Ended(
                    resource,
                    Objects.requireNonNullElse(fence.generation(), 0L),
                    ending.how(),
                    ended.replayed(),
                    ended.step().state() == StepState.FAILED);
        } catch (RefusedException refused) {
            return new Refusal.ByItsRules(resource.toString(), refused.code(), String.valueOf(refused.getMessage()));
        }
    }
}
