package dev.holdfast.review.record;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What became of a reviewer's counter-patch. */
public enum CounterPatchStatus {
    /** The proposer has not decided yet. */
    PENDING,
    ACCEPTED,
    REJECTED,
    /** A later counter-patch replaced it. */
    SUPERSEDED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** @param word null: there was no counter-patch */
    public static @Nullable CounterPatchStatus of(@Nullable String word) {
        return word == null ? null : valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return word;
    }
}
