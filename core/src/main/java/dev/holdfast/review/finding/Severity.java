package dev.holdfast.review.finding;

import java.util.Locale;

/** How serious a finding is. */
public enum Severity {
    /** Blocks approval while it stands. */
    MUST_FIX,
    SHOULD_FIX,
    NOTE;

    private final String word = name().toLowerCase(Locale.ROOT);

    public static Severity of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return word;
    }
}
