package dev.holdfast.review.diff;

/** Which content a line number refers to: before or after the change. */
public enum Side {
    OLD,
    NEW
}
