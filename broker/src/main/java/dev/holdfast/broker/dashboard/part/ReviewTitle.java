package dev.holdfast.broker.dashboard.part;

import dev.holdfast.review.record.Review;

/** What people call a review: its intent, or its short id where the proposer wrote none. */
public final class ReviewTitle {
    private static final int SHORT = 8;

    private ReviewTitle() {}

    public static String of(Review review) {
        return review.intent().isBlank() ? "review " + shortId(review.id()) : review.intent();
    }

    /** Enough of an id to tell it from others; of reviews and tasks alike. */
    public static String shortId(String id) {
        return id.substring(0, Math.min(SHORT, id.length()));
    }
}
