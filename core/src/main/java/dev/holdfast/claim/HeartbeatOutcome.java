package dev.holdfast.claim;

/** The outcome of a heartbeat. */
public sealed interface HeartbeatOutcome permits HeartbeatOutcome.Extended, Refusal {
    /** The claim is still the caller's, until its new expiry. */
    record Extended(Claim claim) implements HeartbeatOutcome {}
}
