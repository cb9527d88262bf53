package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** What a claim was answered. Only {@link Granted} and {@link AlreadyHeld} are claims; nothing else is. */
public sealed interface ClaimOutcome
        permits ClaimOutcome.Granted, ClaimOutcome.AlreadyHeld, ClaimOutcome.Nothing, Refusal {
    /**
     * The caller holds it now.
     *
     * @param displaced whose lease had run out and was taken over, if anybody's
     * @param note what the last holder left for the next
     */
    record Granted(
            Claim claim,
            @Nullable Displaced displaced,
            @Nullable String note) implements ClaimOutcome {}

    /** The caller held it already, by this very request or by the generation it showed; the lease is extended. */
    record AlreadyHeld(Claim claim, @Nullable String note) implements ClaimOutcome {}

    /** Claim-next found nothing that fits. */
    record Nothing() implements ClaimOutcome {}

    /** A holder whose lease had run out. */
    record Displaced(String holder, long generation) {}
}
