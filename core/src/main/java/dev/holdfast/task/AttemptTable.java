package dev.holdfast.task;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The SQL of {@code finalization_attempts}; on PostgreSQL, the SQL functions write it. */
final class AttemptTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO finalization_attempts (task_id, processor_id, operation, outcome, claimed, already_claimed_by,
                task_state, message, claim_generation, requested_seq, seconds, attempted_at)
            VALUES (:task_id, :processor_id, :operation, :outcome, :claimed, :already_claimed_by,
                :task_state, :message, :claim_generation, :requested_seq, :seconds, :now)
            """);

    private static final Sql OF_TASK = Sql.of("""
            SELECT * FROM finalization_attempts WHERE task_id = :task_id AND id > :after ORDER BY id LIMIT :max
            """);

    /** By time, which is not quite the order of the ids. */
    private static final Sql OF_PROCESSOR = Sql.of("""
            SELECT * FROM finalization_attempts WHERE processor_id = :processor_id
                AND (attempted_at, id) > (:at, :after) AND attempted_at < :until ORDER BY attempted_at, id LIMIT :max
            """);

    private static final Sql AFTER =
            Sql.of("SELECT * FROM finalization_attempts WHERE id > :after ORDER BY id LIMIT :max");

    private static final Sql LAST = Sql.of("SELECT coalesce(max(id), 0) AS id FROM finalization_attempts");

    private static final Sql DROP_OLD = Sql.of("""
            DELETE FROM finalization_attempts WHERE id IN (
                SELECT id FROM finalization_attempts WHERE attempted_at < :before ORDER BY attempted_at LIMIT :max)
            """);

    private AttemptTable() {}

    static void add(Transaction transaction, Attempt attempt) throws SQLException {
        transaction.change(
                INSERT,
                p -> p.text("task_id", attempt.taskId())
                        .text("processor_id", attempt.processorId())
                        .text("operation", attempt.operation())
                        .text("outcome", attempt.outcome())
                        .flag("claimed", attempt.claimed())
                        .text("already_claimed_by", attempt.alreadyClaimedBy())
                        .text("task_state", attempt.taskState())
                        .text("message", attempt.message())
                        .number("claim_generation", attempt.claimGeneration())
                        .number("requested_seq", attempt.requestedSeq())
                        .real("seconds", attempt.seconds())
                        .time("now", transaction.now()));
    }

    static List<Attempt> ofTask(Transaction transaction, String taskId, long after, int max) throws SQLException {
        return transaction.list(
                OF_TASK, p -> p.text("task_id", taskId).number("after", after).number("max", max), AttemptTable::read);
    }

    static List<Attempt> ofProcessor(
            Transaction transaction, String processorId, Instant at, long after, Instant until, int max)
            throws SQLException {
        return transaction.list(
                OF_PROCESSOR,
                p -> p.text("processor_id", processorId)
                        .time("at", LeaseClock.micros(at))
                        .number("after", after)
                        .time("until", LeaseClock.micros(until))
                        .number("max", max),
                AttemptTable::read);
    }

    static List<Attempt> after(Transaction transaction, long after, int max) throws SQLException {
        return transaction.list(AFTER, p -> p.number("after", after).number("max", max), AttemptTable::read);
    }

    static long last(Transaction transaction) throws SQLException {
        return transaction.first(LAST, _ -> {}, row -> row.number("id")).orElse(0L);
    }

    static int dropOld(Transaction transaction, long before, int max) throws SQLException {
        return transaction.update(DROP_OLD, p -> p.time("before", before).number("max", max));
    }

    private static Attempt read(Row row) throws SQLException {
        return new Attempt(
                row.number("id"),
                row.text("task_id"),
                row.text("processor_id"),
                row.text("operation"),
                row.text("outcome"),
                row.flag("claimed"),
                row.textOrNull("already_claimed_by"),
                row.textOrNull("task_state"),
                row.text("message"),
                row.numberOrNull("claim_generation"),
                row.numberOrNull("requested_seq"),
                row.real("seconds"),
                LeaseClock.instant(row.time("attempted_at")));
    }
}
