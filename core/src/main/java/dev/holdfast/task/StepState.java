package dev.holdfast.task;

import java.util.Locale;

/** Where a step stands. Ready, claimed and retry_wait are read off its claim; the others are its own. */
public enum StepState {
    WAITING,
    READY,
    CLAIMED,
    RETRY_WAIT,
    SUCCEEDED,
    FAILED,
    SKIPPED,
    CANCELLED;

    static StepState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
