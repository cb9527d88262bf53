package dev.holdfast.task;

import java.util.Locale;

/** The state of a task. {@code finalizing}, meaning that somebody is finishing it, is derived from the claim. */
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
