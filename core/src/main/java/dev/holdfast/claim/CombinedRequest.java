package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** One of the frequent operations, as PostgreSQL's combined statement takes it. */
sealed interface CombinedRequest {
    /** The resource that it changes. */
    String key();

    /**
     * A claim of what is ready.
     *
     * @param given the request id is the caller's own, not made up for this call
     * @param nextKind set on a claim-next: the key is only the candidate
     * @param after counts only if this one, which stands just before it in the same batch, is accepted
     */
    record Take(
            String key,
            String holder,
            long lease,
            String requestId,
            boolean given,
            @Nullable Kind nextKind,
            @Nullable String nextQueue,
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
                    null);
        }

        static Take next(Item candidate, NextAttempt attempt, @Nullable End after) {
            NextRequest asked = attempt.asked();
            return new Take(
                    candidate.key(),
                    asked.holder(),
                    attempt.lease(),
                    attempt.requestId(),
                    asked.requestId() != null,
                    asked.kind(),
                    asked.filter().queue(),
                    after);
        }
    }

    /** A renewal by whoever shows this fence. */
    record Renew(String key, String holder, long generation) implements CombinedRequest {}

    /** A release or completion by whoever shows this fence; what failed is counted and perhaps parked, and not for here. */
    record End(String key, String holder, long generation, Ending ending) implements CombinedRequest {}
}
