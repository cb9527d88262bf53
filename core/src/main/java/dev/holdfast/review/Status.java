package dev.holdfast.review;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Where a review stands. {@link #CLAIMED} is never stored: it is a pending review that somebody holds. */
public enum Status {
    PENDING,
    CLAIMED,
    /** Only in imported reviews; as good as claimed. */
    IN_REVIEW,
    APPROVED,
    CHANGES_REQUESTED,
    CLOSED,
    WITHDRAWN;

    private final String word = name().toLowerCase(Locale.ROOT);

    static Status of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Status::toString).toList();
    }

    /** Nothing happens to it any more. */
    boolean terminal() {
        return this == CLOSED || this == WITHDRAWN;
    }

    /** Somebody is at it. */
    boolean underReview() {
        return this == CLAIMED || this == IN_REVIEW;
    }

    @Override
    public String toString() {
        return word;
    }
}
