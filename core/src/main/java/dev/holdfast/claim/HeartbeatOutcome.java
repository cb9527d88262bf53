package dev.holdfast.claim;

/** What a heartbeat was answered. */
public sealed interface HeartbeatOutcome permits HeartbeatOutcome.Extended, Refusal {
    /** Still yours, until the claim's new expiry. */
    record Extended(Claim claim) implements HeartbeatOutcome {}
}
