package dev.holdfast.agent;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Drops sessions that ended long ago, or have been silent for that long. A session that still holds something stays,
 * and so does one that a review is reserved for, and the parent of an existing session, because kinship depends on it.
 *
 * <p>The id of a dropped session stays reserved for it, so that a name in the history is never mistaken for a later
 * session.
 */
public final class SessionRetention {
    private static final int AT_ONCE = 200;

    private static final String OVER = """
            (ended_at < :before OR (ended_at IS NULL AND last_seen_at < :before))
                AND NOT""" + ClaimSql.holdsSomething("agents.id") + """
                AND NOT EXISTS (SELECT 1 FROM agents c WHERE c.parent = agents.id)
                AND NOT EXISTS (SELECT 1 FROM reviews v WHERE v.reserved_for = agents.id)
            """;

    private static final Sql FIND = Sql.of("SELECT id, session_id FROM agents WHERE " + OVER + " LIMIT :max");

    private static final Sql DROP = Sql.of("DELETE FROM agents WHERE id = :id AND " + OVER);

    private static final Sql REMEMBER = Sql.of("""
            INSERT INTO former_agents (id, session_hash) VALUES (:id, :session_hash) ON CONFLICT DO NOTHING
            """);

    private record Ended(String id, String sessionId) {
        static Ended read(Row row) throws SQLException {
            return new Ended(row.text("id"), row.text("session_id"));
        }
    }

    private final Store store;
    private final Duration kept;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(SessionRetention.class), "drop the session of");

    /** @param kept how long a session is kept after its end or last sign of life */
    public SessionRetention(Store store, Duration kept) {
        this.store = store;
        this.kept = kept;
    }

    /** Drops a bounded number of sessions and returns how many. Zero means that nothing old is left. */
    public int drop() {
        long before = store.read(transaction -> transaction.now()) - kept.toNanos() / 1_000;
        int max = AT_ONCE + bad.count();
        List<Ended> some = store.read(transaction ->
                transaction.list(FIND, p -> p.time("before", before).number("max", max), Ended::read));
        return BadRows.either(
                () -> store.write(transaction -> drop(transaction, some, before)), () -> (int) some.stream()
                        .filter(one -> bad.attempt(
                                one.id, () -> store.write(transaction -> drop(transaction, List.of(one), before)) > 0))
                        .count());
    }

    private static int drop(Transaction transaction, List<Ended> some, long before) throws SQLException {
        int dropped = 0;
        for (Ended ended : some) {
            if (transaction.update(DROP, p -> p.text("id", ended.id).time("before", before)) > 0) {
                String hash = Sha256.hex(ended.sessionId);
                transaction.change(REMEMBER, p -> p.text("id", ended.id).text("session_hash", hash));
                dropped++;
            }
        }
        return dropped;
    }
}
