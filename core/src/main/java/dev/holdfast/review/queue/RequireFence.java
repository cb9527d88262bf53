package dev.holdfast.review.queue;

/** Which verdicts need a fence. */
public enum RequireFence {
    /** All verdicts on a review that somebody holds. */
    ALWAYS,
    /** Only those on reviews that a reviewer of the broker's own pool holds, as in the predecessor. */
    MANAGED
}
