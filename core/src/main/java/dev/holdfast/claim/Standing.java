package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/**
 * How things stand with a resource whose row is locked.
 *
 * @param claim who holds it; null: nobody
 * @param expired its lease has run out, so that anybody may take it
 * @param attempts that failed or ran out since the last success
 * @param endedGeneration the last grant that its holder ended
 */
public record Standing(
        Resource resource,
        long generation,
        @Nullable Claim claim,
        boolean expired,
        long attempts,
        @Nullable Long endedGeneration,
        @Nullable String endedBy) {
    static Standing of(ResourceRow row, long now) {
        return new Standing(
                row.resource,
                row.generation,
                row.held() && row.under == null ? row.claim() : null,
                row.expired(now),
                row.attempts,
                row.endedGeneration,
                row.endedBy);
    }

    public @Nullable String holder() {
        return claim == null ? null : claim.holder();
    }
}
