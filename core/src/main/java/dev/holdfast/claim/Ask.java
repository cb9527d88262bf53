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
record Ask(
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

    static Ask claim(ClaimRequest asked, long lease, String requestId) {
        return new Ask(
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

    static Ask next(Item candidate, Wish wish, boolean afterPrevious) {
        NextRequest asked = wish.asked();
        return new Ask(
                "claim",
                candidate.key(),
                asked.holder(),
                null,
                wish.lease(),
                wish.requestId(),
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

    static Ask renew(Resource resource, Fence fence) {
        return new Ask(
                "renew",
                resource.toString(),
                fence.holder(),
                fence.generation(),
                null,
                null,
                false,
                null,
                null,
                false,
                null,
                null,
                null,
                false,
                null);
    }

    /** A release or completion; what failed is counted and perhaps parked, and not for here. */
    static Ask end(Resource resource, Fence fence, Ending ending) {
        State next = ending.how() == Ending.How.COMPLETED ? State.DONE : State.READY;
        return new Ask(
                "end",
                resource.toString(),
                fence.holder(),
                fence.generation(),
                null,
                null,
                false,
                null,
                null,
                false,
                ending.signature(),
                next.toString(),
                ending.note(),
                ending.keepStatus(),
                ClaimEvents.json(ending.eventDetail(0)));
    }
}
