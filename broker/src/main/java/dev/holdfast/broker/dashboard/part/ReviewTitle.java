package dev.holdfast.broker.dashboard.part;

import dev.holdfast.review.record.Review;

/** What people call a review: its intent, or its short id where the proposer wrote none. */
public final class ReviewTitle {
    private static final int SHORT = 8;

    private ReviewTitle() {}

    public static String of(Review review) {
        return of(review.id(), review.intent());
    }

    /** Today's proposals need an intent; those of earlier versions and imported ones may have none. */
    static String of(String id, String intent) {
        return intent.isBlank() ? "review " + shortId(id) : intent;
    }

    /** Enough of an id to tell it from others; of reviews and tasks alike. */
    public static String shortId(String id) {
        return id.substring(0, Math.min(SHORT, id.length()));
    }
}
