package dev.holdfast.task;

import java.util.Locale;

/** Where a task stands. That somebody is finishing it ({@code finalizing}) is read off the claim. */
public enum TaskState {
    OPEN,
    FINALIZING,
    COMPLETE,
    FAILED,
    CANCELLED;

    public boolean ended() {
        return this != OPEN && this != FINALIZING;
    }

    static TaskState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
