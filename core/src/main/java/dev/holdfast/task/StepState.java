package dev.holdfast.task;

import java.util.Locale;

/** The state of a step. Ready, claimed and retry_wait are derived from its claim; the others are stored. */
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
