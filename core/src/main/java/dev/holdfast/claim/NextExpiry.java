package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When the next claim of a kind can expire. Until then nobody who finds nothing ready needs to look through all that is
 * held, which grows with it; an index by expiry would answer that too, but every heartbeat would have to keep it.
 */
final class NextExpiry {
    private static final Sql EARLIEST = Sql.of("""
            SELECT coalesce(min(r.expires_at), :latest) AS earliest FROM resources r
            WHERE r.state = 'held' AND NOT r.kept AND r.kind = :kind
            """);

    /** A grant made after a look, by whichever broker, lasts at least so long. */
    private static final long SHORTEST = Leases.SHORTEST.toNanos() / 1_000;

    /** @param before nothing that was held, or granted since, expires before this time */
    private record Look(long at, long before) {}

    private final Map<Kind, Look> looks = new ConcurrentHashMap<>();

    /** Whether something may have expired; a clock that was set back makes earlier looks worthless. */
    boolean mayHavePassed(Kind kind, long now) {
        Look last = looks.get(kind);
        return last == null || now < last.at || now >= last.before;
    }

    /** To be called by whoever found nothing expired. */
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
