package dev.holdfast.claim;

/** What a release, completion or failure was answered. */
public sealed interface EndOutcome permits EndOutcome.Ended, Refusal {
    /**
     * It has ended.
     *
     * @param replayed it had ended so before, and this is the same answer again
     * @param parked it failed too often and waits, blocked, for somebody to look at it
     */
    record Ended(Resource resource, long generation, Ending.How how, boolean replayed, boolean parked)
            implements EndOutcome {}
}
