package dev.holdfast.review.diff;

/** What became of a finding's line in the next round. */
public sealed interface CarriedAnchor {
    /** The line and its neighbours are unchanged; this is where they are now. */
    record StillThere(Anchor now) implements CarriedAnchor {}

    /** The line, or the one before or after it, was changed: somebody must check whether the finding still holds. */
    record Outdated() implements CarriedAnchor {}

    /** The next round's diff does not show that position at all. */
    record Gone() implements CarriedAnchor {}
}
