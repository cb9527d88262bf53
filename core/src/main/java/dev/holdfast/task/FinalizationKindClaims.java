package dev.holdfast.task;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hands out finalizations to callers that name them {@code finalization:<task>}, under the same rules as the
 * finalization verbs.
 */
record FinalizationKindClaims(Store store, Claims claims, Finalizations finalizations) implements KindClaims {
    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        if (asked.under() != null || !asked.patience().equals(Duration.ZERO)) {
            throw new InvalidException(asked.resource()
                    + " is claimed on its own and without waiting; use claim_finalization, or claim_next to wait");
        }
        Resource resource = asked.resource();
        Finalizations.Claimed claimed =
                finalizations.claim(resource.id(), asked.holder(), asked.ttl(), asked.generation());
        Long generation = claimed.claimGeneration();
        if (generation == null) {
            return refusal(resource, claimed.answer(), claimed.message());
        }
        Optional<Claim> claim = current(resource, asked.holder(), generation);
        if (claim.isEmpty()) {
            return new Refusal.Lost(resource, null, generation);
        }
        return claimed.answer() == FinalizationAnswer.EXTENDED
                ? new ClaimOutcome.AlreadyHeld(claim.get(), null)
                : new ClaimOutcome.Granted(claim.get(), null, null);
    }

    private Optional<Claim> current(Resource resource, String holder, long generation) {
        return store.write(transaction -> claims.transactional()
                .lock(transaction, resource)
                .map(LockedClaim::claim)
                .filter(claim ->
                        claim.generation() == generation && claim.holder().equals(holder)));
    }

    /** The next finalization that is offered; its new holder has seen the steps' changes up to now. */
    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        while (true) {
            ClaimOutcome outcome = claims.claimNext(asked);
            @Nullable
            Claim claim = switch (outcome) {
                case ClaimOutcome.Granted granted -> granted.claim();
                case ClaimOutcome.AlreadyHeld already -> already.claim();
                case ClaimOutcome.Nothing _ -> null;
                case Refusal _ -> null;
            };
            if (claim == null
                    || finalizations
                            .claim(claim.resource().id(), claim.holder(), asked.ttl(), claim.generation())
                            .claimed()) {
                return outcome;
            } // it was just lost or ended
        }
    }

    @Override
    public EndOutcome release(Resource resource, Fence fence, Ending ending) {
        Long generation = fence.generation();
        String holder = fence.holder();
        if (generation == null || holder == null) {
            return new Refusal.FenceMissing(resource);
        }
        if (ending.how() == Ending.How.RELEASED && ending.keepStatus()) {
            throw new InvalidException(
                    "keep_status does not apply to " + resource + ": the task's steps decide whether it is offered");
        }
        return finalizations.release(resource.id(), holder, generation, null)
                ? new EndOutcome.Ended(resource, generation, ending.how(), false, false)
                : new Refusal.Lost(resource, null, generation);
    }

    private static Refusal refusal(Resource resource, FinalizationAnswer answer, String message) {
        RefusalCode code = answer.code();
        return answer == FinalizationAnswer.NOT_FOUND
                ? new Refusal.NotFound(resource)
                : new Refusal.ByItsRules(resource.toString(), code == null ? RefusalCode.BAD_STATE : code, message);
    }
}
