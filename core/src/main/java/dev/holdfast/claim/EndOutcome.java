package dev.holdfast.claim;

/** The outcome of a release, completion or failure. */
public sealed interface EndOutcome permits EndOutcome.Ended, Refusal {
    /**
     * The claim has ended.
     *
     * @param replayed it had already ended this way; this is the same answer again
     * @param parked it failed too often and stays blocked until somebody looks at it
     */
    record Ended(Resource resource, long generation, Ending.How how, boolean replayed, boolean parked)
            implements EndOutcome {}
}
