package dev.holdfast.task;

import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code outbox}: one row per ended task, written in the transaction that ends it. */
final class OutboxTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO outbox (task_id, payload, due_at, created_at) VALUES (:task_id, :payload, :due_at, :now)
            """);

    private static final Sql NEXT = Sql.of("""
            SELECT task_id, payload, attempts FROM outbox
            WHERE due_at <= :now AND (place IS NULL OR NOT place = ANY (:taken))
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """);

    private static final Sql DUE = Sql.of("""
            SELECT task_id FROM outbox WHERE due_at <= :now ORDER BY due_at LIMIT :max
            """);

    private static final Sql NEXT_ONE = Sql.of("""
            SELECT task_id, payload, attempts FROM outbox WHERE task_id = :task_id AND due_at <= :now FOR UPDATE SKIP LOCKED
            """);

    private static final Sql ANY_LEFT = Sql.of("SELECT 1 AS found FROM outbox WHERE due_at IS NOT NULL LIMIT 1");

    /** Whoever takes it has until then; after that it is due again. */
    private static final Sql TAKE = Sql.of("""
            UPDATE outbox SET due_at = :until, attempts = :attempts WHERE task_id = :task_id
            """);

    private static final Sql PLACE = Sql.of("UPDATE outbox SET place = :place WHERE task_id = :task_id");

    private static final Sql END = Sql.of("""
            UPDATE outbox SET due_at = :due_at, last_error = :last_error, delivered_at = :delivered_at
            WHERE task_id = :task_id AND attempts = :attempts AND due_at IS NOT NULL
            """);

    private static final Sql GIVEN_UP = Sql.of("""
            SELECT task_id, last_error FROM outbox
            WHERE task_id = ANY (:ids) AND payload IS NOT NULL AND due_at IS NULL AND delivered_at IS NULL
            """);

    private static final Sql SHOW = Sql.of("SELECT * FROM outbox WHERE task_id = :task_id AND payload IS NOT NULL");

    /** An action that is being tried right now is left to whoever is trying it. */
    private static final Sql AGAIN = Sql.of("""
            UPDATE outbox SET due_at = :now
            WHERE task_id = :task_id AND payload IS NOT NULL AND delivered_at IS NULL AND last_error IS NOT NULL
            """);

    private OutboxTable() {}

    static boolean anyLeft(Transaction transaction) throws SQLException {
        return transaction.first(ANY_LEFT, _ -> {}, row -> row.number("found")).isPresent();
    }

    /** @param payload what to do; null: nothing */
    static void add(Transaction transaction, String taskId, @Nullable String payload, long now) throws SQLException {
        transaction.change(
                INSERT,
                p -> p.text("task_id", taskId)
                        .text("payload", payload)
                        .time("due_at", payload == null ? null : Long.valueOf(now))
                        .time("now", now));
    }

    /**
     * The first one that is due, with its attempt counted as if it were taken.
     *
     * @param taken places where no action can be started now
     */
    static Optional<Outbox.Due> next(Transaction transaction, Set<String> taken) throws SQLException {
        return transaction.first(
                NEXT, p -> p.time("now", transaction.now()).texts("taken", taken), OutboxTable::asTaken);
    }

    /** The tasks with something due, in order. */
    static List<String> due(Transaction transaction, int max) throws SQLException {
        return transaction.list(
                DUE, p -> p.time("now", transaction.now()).number("max", max), row -> row.text("task_id"));
    }

    /** What is due for this task, as if it were taken; empty if nothing is, or somebody else has it. */
    static Optional<Outbox.Due> next(Transaction transaction, String taskId) throws SQLException {
        return transaction.first(
                NEXT_ONE, p -> p.time("now", transaction.now()).text("task_id", taskId), OutboxTable::asTaken);
    }

    private static Outbox.Due asTaken(Row row) throws SQLException {
        return new Outbox.Due(
                row.text("task_id"), row.text("payload"), Math.min(row.number("attempts") + 1, Integer.MAX_VALUE));
    }

    static void take(Transaction transaction, Outbox.Due due, long until) throws SQLException {
        transaction.change(
                TAKE,
                p -> p.text("task_id", due.taskId())
                        .number("attempts", due.attempt())
                        .time("until", until));
    }

    /** Records where it takes place, so that it can be skipped. */
    static void place(Transaction transaction, Outbox.Due due, String place) throws SQLException {
        transaction.change(PLACE, p -> p.text("task_id", due.taskId()).text("place", place));
    }

    /** @param dueAt when it is tried again; null: never */
    static boolean end(
            Transaction transaction,
            Outbox.Due due,
            @Nullable Long dueAt,
            @Nullable String error,
            @Nullable Long deliveredAt)
            throws SQLException {
        return transaction.update(
                        END,
                        p -> p.text("task_id", due.taskId())
                                .number("attempts", due.attempt())
                                .time("due_at", dueAt)
                                .text("last_error", error)
                                .time("delivered_at", deliveredAt))
                == 1;
    }

    static Optional<Outbox.Delivery> show(Transaction transaction, String taskId) throws SQLException {
        return transaction.first(
                SHOW,
                p -> p.text("task_id", taskId),
                row -> new Outbox.Delivery(
                        row.number("attempts"),
                        row.textOrNull("last_error"),
                        TaskTable.instant(row.timeOrNull("due_at")),
                        TaskTable.instant(row.timeOrNull("delivered_at"))));
    }

    /** Makes a failed action due at once; returns whether there was one. */
    static boolean again(Transaction transaction, String taskId) throws SQLException {
        long now = transaction.now();
        return transaction.update(AGAIN, p -> p.text("task_id", taskId).time("now", now)) > 0;
    }

    /** Those of these tasks whose follow-up was given up, with the last error. */
    static Map<String, String> givenUp(Transaction transaction, Collection<String> ids) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        transaction
                .list(
                        GIVEN_UP,
                        p -> p.texts("ids", ids),
                        row -> Map.entry(
                                row.text("task_id"), Objects.requireNonNullElse(row.textOrNull("last_error"), "")))
                .forEach(one -> found.put(one.getKey(), one.getValue()));
        return found;
    }
}
