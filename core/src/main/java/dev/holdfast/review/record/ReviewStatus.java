package dev.holdfast.review.record;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The status of a review. {@link #CLAIMED} is never stored: it is a pending review that somebody holds. */
public enum ReviewStatus {
    PENDING,
    CLAIMED,
    /** Only in imported reviews; equivalent to claimed. */
    IN_REVIEW,
    APPROVED,
    CHANGES_REQUESTED,
    CLOSED,
    WITHDRAWN;

    private final String word = name().toLowerCase(Locale.ROOT);

    public static ReviewStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ReviewStatus::toString).toList();
    }

    /** Nothing more happens to it. */
    public boolean terminal() {
        return this == CLOSED || this == WITHDRAWN;
    }

    /** Somebody is reviewing it. */
    public boolean underReview() {
        return this == CLAIMED || this == IN_REVIEW;
    }

    @Override
    public String toString() {
        return word;
    }
}
