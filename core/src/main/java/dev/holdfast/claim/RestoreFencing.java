package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;

/**
 * Fences out everybody after a store was restored to an earlier state: grants made after that state are missing from
 * it, and their generations must never be granted again. Reclaims everything that is held, and makes all later grants
 * and events start a million above any known one. On PostgreSQL a database function does it.
 */
public final class RestoreFencing {
    private static final long JUMP = 1_000_000;

    /** Beyond this, later generations could start again from below. */
    private static final long HIGHEST_POSSIBLE = Long.MAX_VALUE / 2;

    private static final Sql BY_POSTGRES = Sql.of("SELECT fence_out_everybody(:reason) AS held");

    private static final Sql HIGHEST = Sql.of("""
            SELECT max(coalesce((SELECT max(cast(generation AS INTEGER)) FROM resources), 0),
                    coalesce((SELECT generation FROM generation_floor), 0)) AS highest,
                (SELECT count(*) FROM resources WHERE state = 'held' AND kind <> 'broker') AS held
            """);

    private static final Sql LATER_EVENTS =
            Sql.of("UPDATE sqlite_sequence SET seq = seq + :jump WHERE name = 'events'");

    private static final Sql DISPLACED = Sql.of("""
            INSERT INTO displacements (holder, resource, generation, reason, at)
            SELECT holder, key, coalesce(outer_generation, generation), :reason, :now
            FROM resources WHERE state = 'held' AND kind <> 'broker'
            ON CONFLICT DO NOTHING
            """);

    private static final Sql TOLD = Sql.of("""
            INSERT INTO events (at, type, resource, generation, detail, origin)
            SELECT :now, 'reclaimed', key, :least,
                json_object('attempts', attempts, 'displaced', holder, 'reason', :reason), 0
            FROM resources WHERE state = 'held' AND kind <> 'broker' ORDER BY key
            """);

    private static final Sql FREED = Sql.of("""
            UPDATE resources SET state = CASE WHEN barred THEN 'blocked' ELSE 'ready' END, holder = NULL,
                acquired_at = NULL, renewed_at = NULL, expires_at = NULL, lease = NULL, confirmed = 0, request_id = NULL,
                outer_key = NULL, outer_generation = NULL, ready_since = CASE WHEN NOT barred THEN :now END, barred = 0
            WHERE state = 'held' AND kind <> 'broker'
            """);

    private static final Sql RAISED = Sql.of("UPDATE resources SET generation = :least");

    private static final Sql FLOOR = Sql.of("UPDATE generation_floor SET generation = :least");

    private static final Sql NOTED = Sql.of("""
            INSERT INTO events (at, type, resource, generation, detail, origin)
            VALUES (:now, 'failover_detected', :store, :least, json_object('held', :held, 'reason', :reason), 0)
            """);

    private RestoreFencing() {}

    /**
     * Call this before anything is granted.
     *
     * @param above the highest generation known to have been granted elsewhere
     * @return how many claims were reclaimed
     */
    public static long everybody(Store store, String reason, long above) {
        return store.write(transaction -> store.engine() == Engine.POSTGRES
                ? onPostgres(transaction, reason)
                : onSqlite(transaction, reason, above));
    }

    /** As above, on PostgreSQL, with everything else that the transaction does. */
    public static long onPostgres(Transaction transaction, String reason) throws SQLException {
        return transaction
                .first(BY_POSTGRES, p -> p.text("reason", reason), row -> row.number("held"))
                .orElseThrow();
    }

    private record Now(long highest, long held) {}

    private static long onSqlite(Transaction transaction, String reason, long above) throws SQLException {
        long now = transaction.now();
        Now before = transaction
                .first(HIGHEST, _ -> {}, row -> new Now(row.number("highest"), row.number("held")))
                .orElseThrow();
        if (before.highest > HIGHEST_POSSIBLE) {
            throw new StoreException("the store has a generation of " + before.highest + ", which no broker can have"
                    + " granted: it was tampered with");
        }
        long least = JUMP + Math.max(before.highest, above);
        transaction.update(LATER_EVENTS, p -> p.number("jump", JUMP));
        transaction.update(DISPLACED, p -> p.text("reason", reason).time("now", now));
        transaction.update(TOLD, p -> p.text("reason", reason).time("now", now).number("least", least));
        transaction.update(FREED, p -> p.time("now", now));
        transaction.update(RAISED, p -> p.number("least", least));
        if (transaction.update(FLOOR, p -> p.number("least", least)) != 1) {
            throw new StoreException(
                    "the store has no lowest generation, which every broker's has: it was tampered with");
        }
        transaction.update(
                NOTED,
                p -> p.text("reason", reason)
                        .time("now", now)
                        .number("least", least)
                        .number("held", before.held)
                        .text("store", "store:sqlite"));
        return before.held;
    }

    /** The highest generation that a SQLite store knows of, also of what is no longer in it. */
    public static long highest(Store store) {
        return store.read(transaction -> transaction
                .first(HIGHEST, _ -> {}, row -> row.number("highest"))
                .orElse(0L));
    }
}
