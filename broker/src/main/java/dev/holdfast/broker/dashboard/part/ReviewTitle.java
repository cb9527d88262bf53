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

    /** New proposals need an intent; imported ones and those of earlier versions may have none. A title is one line. */
    public static String of(String id, String intent) {
        String line = intent.strip().lines().findFirst().orElse("").stripTrailing();
        return line.isEmpty() ? "review " + shortId(id) : rest(intent).isEmpty() ? line : line + " …";
    }

    /** What the intent says after its first line; empty: nothing. */
    public static String rest(String intent) {
        return intent.strip().lines().skip(1).collect(Collectors.joining("\n")).strip();
    }

    /** Enough of an id to tell it from others; for reviews and tasks. */
    public static String shortId(String id) {
        return id.substring(0, Math.min(SHORT, id.length()));
    }
}
