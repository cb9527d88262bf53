package dev.holdfast.event;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of events: appended to by every change, in its own transaction, and never changed. */
public final class Events {
    private static final Sql APPEND = Sql.of("""
            INSERT INTO events (at, type, resource, actor, generation, detail, origin)
            VALUES (:at, :type, :resource, :actor, :generation, :detail, :origin)
            """);

    private static final Sql AFTER = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE id > :after AND id <= :until ORDER BY id LIMIT :most
            """);

    private static final Sql OF_RESOURCE = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE resource = :resource AND id > :after AND id <= :until ORDER BY id LIMIT :most
            """);

    private static final Sql DROP_OLD = Sql.of("""
            DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < :before ORDER BY id LIMIT :most)
            """);

    private static final Sql OTHERS_AFTER = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE id > :after AND id <= :until AND origin <> :origin ORDER BY id LIMIT :most
            """);

    private final int origin;
    private final Runnable changed;

    /**
     * Events written by one store.
     *
     * @param changed told after each commit that brought events
     */
    public Events(int origin, Runnable changed) {
        this.origin = origin;
        this.changed = changed;
    }

    public void append(
            Transaction transaction,
            long at,
            String type,
            String resource,
            @Nullable String actor,
            @Nullable Long generation,
            @Nullable String detail)
            throws SQLException {
        transaction.update(
                APPEND,
                event -> event.time("at", at)
                        .text("type", type)
                        .text("resource", resource)
                        .text("actor", actor)
                        .number("generation", generation)
                        .text("detail", detail)
                        .number("origin", origin));
        transaction.afterCommit(changed);
    }

    public static List<Event> after(Transaction transaction, long after, long until, int most) throws SQLException {
        return transaction.list(
                AFTER,
                range -> range.number("after", after).number("until", until).number("most", most),
                Events::read);
    }

    /** Events that other stores than this one wrote. */
    static List<Event> othersAfter(Transaction transaction, int origin, long after, long until, int most)
            throws SQLException {
        return transaction.list(
                OTHERS_AFTER,
                range -> range.number("origin", origin)
                        .number("after", after)
                        .number("until", until)
                        .number("most", most),
                Events::read);
    }

    public static List<Event> ofResource(Transaction transaction, String resource, long after, long until, int most)
            throws SQLException {
        return transaction.list(
                OF_RESOURCE,
                range -> range.text("resource", resource)
                        .number("after", after)
                        .number("until", until)
                        .number("most", most),
                Events::read);
    }

    /** Drops the oldest events from before this time, so many at a time; returns how many went. */
    public static int dropOld(Transaction transaction, long before, int most) throws SQLException {
        return transaction.update(
                DROP_OLD, range -> range.time("before", before).number("most", most));
    }

    /** Reads a row that has all columns of an event. */
    public static Event read(Row row) throws SQLException {
        return new Event(
                row.number("id"),
                LeaseClock.instant(row.time("at")),
                row.text("type"),
                row.text("resource"),
                row.textOrNull("actor"),
                row.numberOrNull("generation"),
                row.textOrNull("detail"),
                (int) row.number("origin"));
    }
}
