package dev.holdfast.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How an item stands. That it is in progress is never written down: it is, while somebody holds it. */
public enum Status {
    OPEN,
    IN_PROGRESS,
    BLOCKED,
    DEFERRED,
    CLOSED;

    public static Optional<Status> of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.toString().equals(word))
                .findFirst();
    }

    static Status stored(String word) {
        return of(word).orElseThrow(() -> new IllegalStateException("no status " + word));
    }

    public static String words() {
        return Arrays.stream(values()).map(Status::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
