package dev.holdfast.claim;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What sort of thing is claimed, with the lease it gives unless the configuration or the call says otherwise. */
public enum Kind {
    REVIEW(Duration.ofMinutes(20), false),
    WORK(Duration.ofMinutes(45), false),
    STEP(Duration.ofMinutes(20), false),
    FINALIZATION(Duration.ofSeconds(30), false),
    PATH(Duration.ofMinutes(45), true),
    KEY(Duration.ofMinutes(45), true),
    RESERVATION(Duration.ofMinutes(45), true),
    BROKER(Duration.ofSeconds(30), true);

    private static final Map<String, Kind> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Kind::toString, kind -> kind));

    private final Duration lease;
    private final boolean freeStanding;
    private final String word = name().toLowerCase(Locale.ROOT);

    Kind(Duration lease, boolean freeStanding) {
        this.lease = lease;
        this.freeStanding = freeStanding;
    }

    public Duration lease() {
        return lease;
    }

    /** Made by its first claim; the others are made by the thing they stand for, and claimed only if it exists. */
    public boolean freeStanding() {
        return freeStanding;
    }

    public static Optional<Kind> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    public static String words() {
        return Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", "));
    }

    /** The word that stands before the colon of a resource. */
    @Override
    public String toString() {
        return word;
    }
}
