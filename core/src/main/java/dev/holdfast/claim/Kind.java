package dev.holdfast.claim;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of resource, each with its default lease, which configuration or a call can override. */
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

    /**
     * Whether its first claim creates it. Resources of other kinds stand for a thing that must exist before it can be
     * claimed.
     */
    public boolean freeStanding() {
        return freeStanding;
    }

    public static Optional<Kind> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    public static String words() {
        return Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", "));
    }

    /** The word before the colon in a resource's name. */
    @Override
    public String toString() {
        return word;
    }
}
