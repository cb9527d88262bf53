package dev.holdfast.claim;

/**
 * Who gives out the things of a kind to those who name them {@code kind:id}, and takes them back: the domain that they
 * belong to, by its own rules, or the engine itself.
 */
public interface KindClaims {
    ClaimOutcome claim(ClaimRequest asked);

    ClaimOutcome claimNext(NextRequest asked);

    EndOutcome release(Resource resource, Fence fence, Ending ending);
}
