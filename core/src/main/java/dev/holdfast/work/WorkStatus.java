package dev.holdfast.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The status of an item. {@link #IN_PROGRESS} is never stored: an item is in progress while somebody holds it. */
public enum WorkStatus {
    OPEN,
    IN_PROGRESS,
    BLOCKED,
    DEFERRED,
    CLOSED;

    public static Optional<WorkStatus> of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.toString().equals(word))
                .findFirst();
    }

    static WorkStatus stored(String word) {
        return of(word).orElseThrow(() -> new IllegalStateException("no status " + word));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
