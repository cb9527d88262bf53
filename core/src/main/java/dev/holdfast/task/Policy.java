package dev.holdfast.task;

import java.util.Locale;

/** When a task may end, and as what. */
public enum Policy {
    /** When every step has ended; complete only if none failed. */
    ALL_SUCCEEDED,
    /** When every step has ended; complete regardless of their results. */
    ALL_SETTLED,
    /** At the first step that fails for good; the remaining steps are cancelled. */
    FAIL_FAST;

    boolean due(Counters counters) {
        return counters.settled() || (this == FAIL_FAST && counters.failed() > 0);
    }

    TaskState end(Counters counters) {
        return this != ALL_SETTLED && counters.failed() > 0 ? TaskState.FAILED : TaskState.COMPLETE;
    }

    public static Policy of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
