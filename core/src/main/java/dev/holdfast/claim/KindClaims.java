package dev.holdfast.claim;

/**
 * Hands out and takes back the resources of a kind, named {@code kind:id}: either the domain that they belong to, by
 * its own rules, or the engine itself.
 */
public interface KindClaims {
    ClaimOutcome claim(ClaimRequest asked);

    ClaimOutcome claimNext(NextRequest asked);

    EndOutcome release(Resource resource, Fence fence, Ending ending);
}
