package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** The outcome of a claim. Only {@link Granted} and {@link AlreadyHeld} mean that the caller holds the resource. */
public sealed interface ClaimOutcome
        permits ClaimOutcome.Granted, ClaimOutcome.AlreadyHeld, ClaimOutcome.Nothing, Refusal {
    /**
     * The caller holds it now.
     *
     * @param displaced the previous holder, if an expired claim was taken over
     * @param note the previous holder's handoff note
     */
    record Granted(
            Claim claim,
            @Nullable Displaced displaced,
            @Nullable String note) implements ClaimOutcome {}

    /** The caller already held it, by this same request or by the generation it presented; the lease is extended. */
    record AlreadyHeld(Claim claim, @Nullable String note) implements ClaimOutcome {}

    /** Claim-next found nothing that matches. */
    record Nothing() implements ClaimOutcome {}

    /** A holder whose lease had expired. */
    record Displaced(String holder, long generation) {}
}
