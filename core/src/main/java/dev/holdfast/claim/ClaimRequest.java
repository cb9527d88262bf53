package dev.holdfast.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one named resource.
 *
 * @param ttl how long the lease runs without a heartbeat; null: the kind's default
 * @param requestId makes a repeat of this call return the same grant
 * @param generation the grant that the caller believes it holds; if it does, the claim is extended instead of refused
 * @param patience how long to wait for a resource that somebody else holds; zero: answer at once
 * @param under makes it a soft claim, which ends with the caller's claim on another resource
 */
public record ClaimRequest(
        Resource resource,
        String holder,
        @Nullable Duration ttl,
        @Nullable String requestId,
        @Nullable Long generation,
        Duration patience,
        @Nullable OuterClaim under) {
    public ClaimRequest {
        Text.holder(holder);
        requestId = requestId == null ? null : Text.limited("request_id", requestId, Text.LONGEST_HOLDER);
        if (under != null && under.resource().equals(resource)) {
            throw new InvalidException(resource + " cannot be claimed under itself; name the outer claim");
        }
    }

    public static ClaimRequest of(Resource resource, String holder) {
        return new ClaimRequest(resource, holder, null, null, null, Duration.ZERO, null);
    }

    public ClaimRequest ttl(@Nullable Duration ttl) {
        return new ClaimRequest(resource, holder, ttl, requestId, generation, patience, under);
    }

    public ClaimRequest requestId(@Nullable String requestId) {
        return new ClaimRequest(resource, holder, ttl, requestId, generation, patience, under);
    }

    public ClaimRequest generation(@Nullable Long generation) {
        return new ClaimRequest(resource, holder, ttl, requestId, generation, patience, under);
    }

    public ClaimRequest waiting(Duration patience) {
        return new ClaimRequest(resource, holder, ttl, requestId, generation, patience, under);
    }

    public ClaimRequest under(@Nullable OuterClaim under) {
        return new ClaimRequest(resource, holder, ttl, requestId, generation, patience, under);
    }
}
