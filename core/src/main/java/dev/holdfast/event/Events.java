package dev.holdfast.event;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events table: every change appends to it in its own transaction; rows are never changed. */
public final class Events {
    private static final Sql APPEND = Sql.of("""
            INSERT INTO events (at, type, resource, actor, generation, detail, origin)
            VALUES (:at, :type, :resource, :actor, :generation, :detail, :origin)
            """);

    private static final Sql AFTER = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE id > :after AND id <= :until ORDER BY id LIMIT :max
            """);

    private static final Sql OF_RESOURCE = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE resource = :resource AND id > :after AND id <= :until ORDER BY id LIMIT :max
            """);

    private static final String BEFORE = """
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE id < :before AND id <= :until""";

    private static final Sql NEWEST = Sql.of(BEFORE + " ORDER BY id DESC LIMIT :max");

    private static final Sql NEWEST_OF_RESOURCE =
            Sql.of(BEFORE + " AND resource = :resource ORDER BY id DESC LIMIT :max");

    private static final Sql OF_RESOURCES = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE resource >= :first AND resource < :beyond AND id <= :until ORDER BY resource, id LIMIT :max
            """);

    private static final Sql HEADERS =
            Sql.of("SELECT id, at, resource FROM events WHERE id > :after ORDER BY id LIMIT :max");

    private static final Sql DROP = Sql.of("DELETE FROM events WHERE id >= :first AND id <= :last");

    private static final Sql OTHERS_AND_REVIEWS_AFTER = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events
            WHERE id > :after AND (origin <> :origin OR resource >= 'review:' AND resource < 'reviewer;')
            ORDER BY id LIMIT :max
            """);

    private final int origin;
    private final Runnable changed;

    /**
     * Events written by one store.
     *
     * @param changed called after each commit that added events
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
        appendAll(transaction, List.of(new New(at, type, resource, actor, generation, detail)));
    }

    /** An event that is not in the table yet. */
    public record New(
            long at,
            String type,
            String resource,
            @Nullable String actor,
            @Nullable Long generation,
            @Nullable String detail) {}

    /** Appends them in this order. None is no change: nobody is told. */
    public void appendAll(Transaction transaction, List<New> events) throws SQLException {
        if (events.isEmpty()) {
            return;
        }
        transaction.updateAll(
                APPEND,
                events,
                (p, event) -> p.time("at", event.at)
                        .text("type", event.type)
                        .text("resource", event.resource)
                        .text("actor", event.actor)
                        .number("generation", event.generation)
                        .text("detail", event.detail)
                        .number("origin", origin));
        appended(transaction);
    }

    /** For statements that append events themselves: call it in their transaction. */
    public void appended(Transaction transaction) {
        transaction.onceAfterCommit(changed);
    }

    /** Which broker's events these are. */
    public int origin() {
        return origin;
    }

    public static List<Event> after(Transaction transaction, long after, long until, int max) throws SQLException {
        return transaction.list(
                AFTER,
                range -> range.number("after", after).number("until", until).number("max", max),
                Events::read);
    }

    /** The first events after this id. */
    static Pending<List<Event>> askAfter(Transaction transaction, long after, int max) throws SQLException {
        return transaction.ask(
                AFTER,
                range -> range.number("after", after)
                        .number("until", Long.MAX_VALUE)
                        .number("max", max),
                Events::read);
    }

    /** As {@link #askAfter}, but of what this store wrote only the events of reviews and their reviewers. */
    static Pending<List<Event>> askOthersAndReviewsAfter(Transaction transaction, int origin, long after, int max)
            throws SQLException {
        return transaction.ask(
                OTHERS_AND_REVIEWS_AFTER,
                range -> range.number("origin", origin).number("after", after).number("max", max),
                Events::read);
    }

    public static List<Event> ofResource(Transaction transaction, String resource, long after, long until, int max)
            throws SQLException {
        return transaction.list(
                OF_RESOURCE,
                range -> range.text("resource", resource)
                        .number("after", after)
                        .number("until", until)
                        .number("max", max),
                Events::read);
    }

    /** Events of all resources in this range, the end excluded; by resource, oldest first. */
    static List<Event> ofResources(Transaction transaction, String first, String beyond, long until, int max)
            throws SQLException {
        return transaction.list(
                OF_RESOURCES,
                range -> range.text("first", first)
                        .text("beyond", beyond)
                        .number("until", until)
                        .number("max", max),
                Events::read);
    }

    /** Events before this one, newest first. */
    public static List<Event> before(
            Transaction transaction, @Nullable String resource, long before, long until, int max) throws SQLException {
        return transaction.list(
                resource == null ? NEWEST : NEWEST_OF_RESOURCE,
                range -> {
                    range.number("before", before).number("until", until).number("max", max);
                    if (resource != null) {
                        range.text("resource", resource);
                    }
                },
                Events::read);
    }

    /** An event's resource and time. */
    public record Header(long id, long at, String resource) {}

    /** The next events after this one, at most this many, even if one could still appear in between. */
    public static List<Header> headers(Transaction transaction, long after, int max) throws SQLException {
        return transaction.list(
                HEADERS,
                p -> p.number("after", after).number("max", max),
                row -> new Header(row.number("id"), row.time("at"), row.text("resource")));
    }

    /** Drops all events in this range, both ends included; returns how many. */
    public static int drop(Transaction transaction, long first, long last) throws SQLException {
        return transaction.update(DROP, p -> p.number("first", first).number("last", last));
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
