package dev.holdfast.review.queue;

/** Whose verdicts need a fence. */
public enum RequireFence {
    /** Everybody's on a review that somebody holds. */
    ALWAYS,
    /** Only those on reviews that a reviewer of the broker's own pool holds, as the predecessor had it. */
    MANAGED
}
