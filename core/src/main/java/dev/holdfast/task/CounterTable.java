package dev.holdfast.task;

import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;

/** The SQL of {@code task_counters}: locked after the rows of steps, before the row of the finalization. */
final class CounterTable {
    private static final Sql INSERT = Sql.of("INSERT INTO task_counters (task_id) VALUES (:id)");

    private static final Sql LOCK = Sql.of("SELECT * FROM task_counters WHERE task_id = :id FOR UPDATE");

    private static final Sql CHANGE = Sql.of("""
            UPDATE task_counters SET waiting = waiting + :waiting, active = active + :active,
                succeeded = succeeded + :succeeded, failed = failed + :failed, skipped = skipped + :skipped,
                cancelled = cancelled + :cancelled, requested_seq = requested_seq + 1
            WHERE task_id = :id
            """);

    private CounterTable() {}

    /** How one change of the task changes the counts. */
    record Change(long waiting, long active, long succeeded, long failed, long skipped, long cancelled) {
        static final Change NONE = new Change(0, 0, 0, 0, 0, 0);

        Change plus(Change other) {
            return new Change(
                    waiting + other.waiting,
                    active + other.active,
                    succeeded + other.succeeded,
                    failed + other.failed,
                    skipped + other.skipped,
                    cancelled + other.cancelled);
        }

        static Change of(StepState state, long by) {
            return switch (state) {
                case WAITING -> new Change(by, 0, 0, 0, 0, 0);
                case READY, CLAIMED, RETRY_WAIT -> new Change(0, by, 0, 0, 0, 0);
                case SUCCEEDED -> new Change(0, 0, by, 0, 0, 0);
                case FAILED -> new Change(0, 0, 0, by, 0, 0);
                case SKIPPED -> new Change(0, 0, 0, 0, by, 0);
                case CANCELLED -> new Change(0, 0, 0, 0, 0, by);
            };
        }

        static Change from(StepState before, StepState after) {
            return of(before, -1).plus(of(after, 1));
        }
    }

    static void insert(Transaction transaction, String taskId) throws SQLException {
        transaction.change(INSERT, p -> p.text("id", taskId));
    }

    static Optional<Counters> lock(Transaction transaction, String taskId) throws SQLException {
        return transaction.first(LOCK, p -> p.text("id", taskId), CounterTable::read);
    }

    static void change(Transaction transaction, String taskId, Change by) throws SQLException {
        transaction.change(
                CHANGE,
                p -> p.text("id", taskId)
                        .number("waiting", by.waiting)
                        .number("active", by.active)
                        .number("succeeded", by.succeeded)
                        .number("failed", by.failed)
                        .number("skipped", by.skipped)
                        .number("cancelled", by.cancelled));
    }

    static Counters read(Row row) throws SQLException {
        return new Counters(
                row.number("waiting"),
                row.number("active"),
                row.number("succeeded"),
                row.number("failed"),
                row.number("skipped"),
                row.number("cancelled"),
                row.number("requested_seq"));
    }
}
