package dev.holdfast.claim;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long leases run: a default for each kind, and the longest that a call may ask for. */
public record Leases(Map<Kind, Duration> byKind, Duration longest) {
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    public Leases {
        Map<Kind, Duration> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, byKind.getOrDefault(kind, kind.lease()));
        }
        byKind = Map.copyOf(all);
    }

    public static Leases defaults() {
        return new Leases(Map.of(), Duration.ofHours(24));
    }

    /** Microseconds to lease for, as asked or by default. */
    public long micros(Kind kind, @Nullable Duration asked) {
        if (asked == null) {
            return byKind.getOrDefault(kind, kind.lease()).toNanos() / 1_000;
        }
        if (asked.compareTo(SHORTEST) < 0 || asked.compareTo(longest) > 0) {
            throw new InvalidException("ttl must be from " + SHORTEST.toSeconds() + " to " + longest.toSeconds()
                    + " seconds, not " + asked.toMillis() / 1000.0);
        }
        return asked.toNanos() / 1_000;
    }
}
