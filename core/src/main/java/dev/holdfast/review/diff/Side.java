package dev.holdfast.review.diff;

/** Which content a line number counts in: before or after the change. */
public enum Side {
    OLD,
    NEW
}
