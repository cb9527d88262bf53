package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** One of the frequent operations, in the form that a batch takes. */
sealed interface CombinedRequest {
    /** The resource that the request changes. */
    String key();

    /**
     * A claim on a ready resource.
     *
     * @param given whether the request id is the caller's own rather than generated for this call
     * @param nextKind set for a claim-next, whose key is only a candidate
     * @param since the holder has no unconfirmed grant from before this time, in microseconds ({@link LatestGrants})
     * @param after take effect only if this ending, which directly precedes it in the same batch, is accepted
     */
    record Take(
            String key,
            String holder,
            long lease,
            String requestId,
            boolean given,
            @Nullable Kind nextKind,
            @Nullable String nextQueue,
            long since,
            @Nullable End after)
            implements CombinedRequest {
        static Take named(ClaimRequest asked, long lease, String requestId) {
            return new Take(
                    asked.resource().toString(),
                    asked.holder(),
                    lease,
                    requestId,
                    asked.requestId() != null,
                    null,
                    null,
                    0,
                    null);
        }

        /** Whether the resource is created if it does not exist. */
        boolean mayCreate() {
            return nextKind == null && Resource.parse(key).kind().freeStanding();
        }

        static Take next(Item candidate, NextAttempt attempt, long since, @Nullable End after) {
            NextRequest asked = attempt.asked();
            return new Take(
                    candidate.key(),
                    asked.holder(),
                    attempt.lease(),
                    attempt.requestId(),
                    asked.requestId() != null,
                    asked.kind(),
                    asked.filter().queue(),
                    since,
                    after);
        }
    }

    /** A renewal by the caller with this fence. */
    record Renew(String key, String holder, long generation) implements CombinedRequest {}

    /**
     * A release or completion by the caller with this fence. Failures are not batched: they are counted and may park
     * the resource.
     */
    record End(String key, String holder, long generation, Ending ending) implements CombinedRequest {}
}
