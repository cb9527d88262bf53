package dev.holdfast.claim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A grant: who holds what, at which generation, from when until when. Present {@link #fence()} with every change.
 *
 * <p>A soft claim has an outer one ({@code under}); its generation and expiry are the outer's.
 */
public record Claim(
        Resource resource,
        String holder,
        long generation,
        Instant claimedAt,
        Instant renewedAt,
        Instant expiresAt,
        boolean confirmed,
        int attempts,
        @Nullable OuterClaim under) {
    Claim until(Instant end) {
        return new Claim(resource, holder, generation, claimedAt, renewedAt, end, confirmed, attempts, under);
    }

    public Fence fence() {
        return new Fence(holder, generation);
    }
}
