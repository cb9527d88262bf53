package dev.holdfast.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the best ready resource of a kind: lowest priority number first, then oldest. If nothing is ready, takes
 * over the best one whose lease has expired.
 *
 * @param requestId makes a repeat of this call return the same grant; without one, a holder first gets back its own
 *     unconfirmed grant (whose answer may have been lost)
 */
public record NextRequest(
        Kind kind,
        Filter filter,
        String holder,
        @Nullable Duration ttl,
        @Nullable String requestId,
        Duration patience) {
    public NextRequest {
        Text.holder(holder);
        requestId = requestId == null ? null : Text.limited("request_id", requestId, Text.LONGEST_HOLDER);
        if (kind.freeStanding()) {
            throw new InvalidException(
                    "claim_next is for review, work, step and finalization; claim a " + kind + " by its name");
        }
    }

    public static NextRequest of(Kind kind, String holder) {
        return new NextRequest(kind, Filter.ANY, holder, null, null, Duration.ZERO);
    }

    public NextRequest filter(Filter filter) {
        return new NextRequest(kind, filter, holder, ttl, requestId, patience);
    }

    public NextRequest ttl(@Nullable Duration ttl) {
        return new NextRequest(kind, filter, holder, ttl, requestId, patience);
    }

    public NextRequest requestId(@Nullable String requestId) {
        return new NextRequest(kind, filter, holder, ttl, requestId, patience);
    }

    public NextRequest waiting(Duration patience) {
        return new NextRequest(kind, filter, holder, ttl, requestId, patience);
    }
}
