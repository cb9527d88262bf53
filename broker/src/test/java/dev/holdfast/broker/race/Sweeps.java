package dev.holdfast.broker.race;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When brokers began their sweeps, by the store's clock: each begins with a renewal of the broker's own claim, which is
 * watched here. So it can be said what was due in a sweep, however slow the machine is.
 */
final class Sweeps {
    private final Map<String, TreeSet<Instant>> byBroker = new ConcurrentHashMap<>();
    private final Duration lease;

    /** @param lease of brokers; nobody sweeps before it has been there for half of it without a gap */
    Sweeps(Duration lease) {
        this.lease = lease;
    }

    /** To be called more often than sweeps are. */
    synchronized void look(Claims claims) {
        for (Claim broker : claims.held(Kind.BROKER, null, null)) {
            byBroker.computeIfAbsent(broker.holder(), _ -> new TreeSet<>()).add(broker.renewedAt());
        }
    }

    /** Whether all of these brokers take back what has run out. */
    synchronized boolean steady(int brokers) {
        return byBroker.size() == brokers
                && byBroker.values().stream().allMatch(turns -> isSteady(turns, turns.last()));
    }

    /**
     * The latest moment at which what ran out then is taken back: when the broker that came to it first has begun the
     * sweep after. Empty when no broker has got so far.
     */
    synchronized Optional<Instant> due(Instant ranOut) {
        return byBroker.values().stream()
                .flatMap(turns -> turns.tailSet(ranOut, false).stream()
                        .filter(turn -> isSteady(turns, turn))
                        .skip(1)
                        .limit(1))
                .min(Instant::compareTo);
    }

    private boolean isSteady(NavigableSet<Instant> turns, Instant turn) {
        Instant since = turn;
        for (Instant before : turns.headSet(turn, false).descendingSet()) {
            if (!before.isAfter(since.minus(lease))) {
                break; // a gap
            }
            since = before;
        }
        return !since.isAfter(turn.minus(lease.dividedBy(2)));
    }
}
