package dev.holdfast.claim;

import java.util.Locale;

/** Whether a resource is free and, if not, why. */
enum State {
    READY,
    BLOCKED,
    HELD,
    DONE;

    private final String word = name().toLowerCase(Locale.ROOT);

    static State of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return word;
    }
}
