package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/**
 * One line of PostgreSQL's combined statement.
 *
 * @param shown the generation that the caller shows
 * @param given the request id is the caller's own, not made up for this call
 * @param nextKind set on a claim-next: the key is only the candidate
 * @param afterPrevious counts only if the line before it, a completion, was accepted
 */
record CombinedRequest(
        String verb,
        String key,
        @Nullable String holder,
        @Nullable Long shown,
        @Nullable Long lease,
        @Nullable String requestId,
        boolean given,
        @Nullable String nextKind,
        @Nullable String nextQueue,
        boolean afterPrevious,
        @Nullable String endedAs,
        @Nullable String nextState,
        @Nullable String note,
        boolean keep,
        @Nullable String detail) {

    static CombinedRequest claim(ClaimRequest asked, long lease, String requestId) {
        return new CombinedRequest(
                "claim",
                asked.resource().toString(),
                asked.holder(),
                asked.generation(),
                lease,
                requestId,
                asked.requestId() != null,
                null,
                null,
                false,
                null,
                null,
                null,
                false,
                null);
    }

    static CombinedRequest next(Item candidate, NextAttempt attempt, boolean afterPrevious) {
        NextRequest asked = attempt.asked();
        return new CombinedRequest(
                "claim",
                candidate.key(),
                asked.holder(),
                null,
                attempt.lease(),
                attempt.requestId(),
                asked.requestId() != null,
                asked.kind().toString(),
                asked.filter().queue(),
                afterPrevious,
                null,
                null,
                null,
                false,
                null);
    }

    static CombinedRequest renew(Resource resource, Fence fence) {
        return fenced("renew", resource, fence, null, null, null, false, null);
    }

    /** A release or completion; what failed is counted and perhaps parked, and not for here. */
    static CombinedRequest end(Resource resource, Fence fence, Ending ending) {
        State next = ending.how() == Ending.How.COMPLETED ? State.DONE : State.READY;
        return fenced(
                "end",
                resource,
                fence,
                ending.signature(),
                next.toString(),
                ending.note(),
                ending.keepStatus(),
                ClaimEvents.json(ending.eventDetail(0)));
    }

    private static CombinedRequest fenced(
            String verb,
            Resource resource,
            Fence fence,
            @Nullable String endedAs,
            @Nullable String nextState,
            @Nullable String note,
            boolean keep,
            @Nullable String detail) {
        return new CombinedRequest(
                verb,
                resource.toString(),
                fence.holder(),
                fence.generation(),
                null,
                null,
                false,
                null,
                null,
                false,
                endedAs,
                nextState,
                note,
                keep,
                detail);
    }
}
