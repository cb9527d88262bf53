package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When the next claim of a kind can expire. Until then a caller that finds nothing ready need not scan everything that
 * is held, which costs more the more is held. An index on expiry would answer this too, but every heartbeat would have
 * to update it.
 */
final class NextExpiry {
    private static final Sql EARLIEST = Sql.of("""
            SELECT coalesce(min(r.expires_at), :latest) AS earliest FROM resources r
            WHERE r.state = 'held' AND NOT r.kept AND r.kind = :kind
            """);

    /** A grant made after a look, by any broker, lasts at least this long. */
    private static final long SHORTEST = Leases.SHORTEST.toNanos() / 1_000;

    /** @param before nothing that was held, or granted since, expires before this time */
    private record Look(long at, long before) {}

    private final Map<Kind, Look> looks = new ConcurrentHashMap<>();

    /** Whether something may have expired; if the clock went back, earlier looks do not count. */
    boolean mayHavePassed(Kind kind, long now) {
        Look last = looks.get(kind);
        return last == null || now < last.at || now >= last.before;
    }

    /** Call this when nothing expired was found. */
    void look(Transaction transaction, Kind kind, long now) throws SQLException {
        long latest = now + SHORTEST;
        long earliest = transaction
                .first(
                        EARLIEST,
                        p -> p.text("kind", kind.toString()).time("latest", latest),
                        row -> row.time("earliest"))
                .orElse(latest);
        looks.put(kind, new Look(now, Math.min(earliest, latest)));
    }
}
