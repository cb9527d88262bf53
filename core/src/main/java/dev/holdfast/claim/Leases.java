package dev.holdfast.claim;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long leases last: a default per kind, and the longest that a call may ask for.
 *
 * @param inAll how long one claim of a kind may last in total, however often it is renewed; whoever sets the limit
 *     reclaims older claims
 */
public record Leases(Map<Kind, Duration> byKind, Duration longest, Map<Kind, Duration> inAll) {
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    public Leases {
        Map<Kind, Duration> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, byKind.getOrDefault(kind, kind.lease()));
        }
        byKind = Map.copyOf(all);
        inAll = Map.copyOf(inAll);
    }

    public Leases(Map<Kind, Duration> byKind, Duration longest) {
        this(byKind, longest, Map.of());
    }

    public static Leases defaults() {
        return new Leases(Map.of(), Duration.ofHours(24));
    }

    /** A copy with a limit on the total duration of a claim of this kind. */
    public Leases inAll(Kind kind, Duration max) {
        Map<Kind, Duration> limited = new EnumMap<>(Kind.class);
        limited.putAll(inAll);
        limited.put(kind, max);
        return new Leases(byKind, longest, limited);
    }

    /** The claim with the expiry that can be relied on: capped by the limit on a claim's total duration. */
    public Claim limited(Claim claim) {
        Duration max = inAll.get(claim.resource().kind());
        return max == null || !claim.expiresAt().isAfter(claim.claimedAt().plus(max))
                ? claim
                : claim.until(claim.claimedAt().plus(max));
    }

    List<Claim> limited(List<Claim> claims) {
        return inAll.isEmpty() ? claims : claims.stream().map(this::limited).toList();
    }

    /** The lease in microseconds, as requested or by default, capped by the limit on a claim's total duration. */
    public long micros(Kind kind, @Nullable Duration asked) {
        long micros = unlimited(kind, asked);
        Duration max = inAll.get(kind);
        return max == null ? micros : Math.min(micros, max.toNanos() / 1_000);
    }

    private long unlimited(Kind kind, @Nullable Duration asked) {
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
