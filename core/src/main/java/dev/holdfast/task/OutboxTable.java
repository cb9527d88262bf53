package dev.holdfast.task;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code outbox}: one row per task that has ended, written with the end. */
final class OutboxTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO outbox (task_id, payload, due_at, created_at) VALUES (:task_id, :payload, :due_at, :now)
            """);

    private OutboxTable() {}

    /** @param payload what is to be done; null: nothing */
    static void add(Transaction transaction, String taskId, @Nullable String payload, long now) throws SQLException {
        transaction.update(
                INSERT,
                p -> p.text("task_id", taskId)
                        .text("payload", payload)
                        .time("due_at", payload == null ? null : Long.valueOf(now))
                        .time("now", now));
    }
}
