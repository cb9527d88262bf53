package dev.holdfast.review.finding;

import java.util.Arrays;
import java.util.List;
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

    public static List<String> words() {
        return Arrays.stream(values()).map(Severity::toString).toList();
    }

    @Override
    public String toString() {
        return word;
    }
}
