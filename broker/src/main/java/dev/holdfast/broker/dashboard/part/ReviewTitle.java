package dev.holdfast.broker.dashboard.part;

import dev.holdfast.review.record.Review;
import java.util.stream.Collectors;

/** What people call a review: its intent, or its short id where the proposer wrote none. */
public final class ReviewTitle {
    private static final int SHORT = 8;

    private ReviewTitle() {}

    public static String of(Review review) {
        return of(review.id(), review.intent());
    }

    /** Today's proposals need an intent; those of earlier versions and imported ones may have none. A title is one line. */
    static String of(String id, String intent) {
        String line = intent.strip().lines().findFirst().orElse("").stripTrailing();
        return line.isEmpty() ? "review " + shortId(id) : rest(intent).isEmpty() ? line : line + " …";
    }

    /** What the intent says after its first line; empty: nothing. */
    public static String rest(String intent) {
        return intent.strip().lines().skip(1).collect(Collectors.joining("\n")).strip();
    }

    /** Enough of an id to tell it from others; of reviews and tasks alike. */
    public static String shortId(String id) {
        return id.substring(0, Math.min(SHORT, id.length()));
    }
}
