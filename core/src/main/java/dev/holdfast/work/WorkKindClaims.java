package dev.holdfast.work;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import java.util.Set;
import java.util.function.Supplier;

/** Hands out items to callers that name them {@code work:<id>}, by the rules of work. */
record WorkKindClaims(Claims claims, WorkClaims claiming) implements KindClaims {
    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        return answered(asked.resource().toString(), () -> claiming.claim(asked, Set.of()));
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        return answered(asked.kind().toString(), () -> claiming.next(asked));
    }

    /** The row already says what an item becomes when it is released. */
    @Override
    public EndOutcome release(Resource resource, Fence fence, Ending ending) {
        return claims.release(resource, fence, ending);
    }

    private static ClaimOutcome answered(String what, Supplier<ClaimOutcome> call) {
        try {
            return call.get();
        } catch (RefusedException refused) {
            return refused.asRefusal(what);
        }
    }
}
