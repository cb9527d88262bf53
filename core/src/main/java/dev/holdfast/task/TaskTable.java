package dev.holdfast.task;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code tasks}. */
final class TaskTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO tasks (id, name, namespace, context, policy, finalizer, on_finish, idempotency_key, request_hash,
                state, created_at)
            VALUES (:id, :name, :namespace, :context, :policy, :finalizer, :on_finish, :idempotency_key, :request_hash,
                'open', :now)
            ON CONFLICT DO NOTHING RETURNING id
            """);

    private static final Sql SAME_KEY = Sql.of("""
            SELECT id, request_hash FROM tasks WHERE namespace = :namespace AND idempotency_key = :idempotency_key
            """);

    /** The first status that applies; the ready steps of a task are adjacent in their own index. */
    private static final String SHOWN = """
            SELECT t.*, c.waiting, c.active, c.succeeded, c.failed, c.skipped, c.cancelled, c.requested_seq,
                f.state AS finalization_state, f.holder AS processor, f.expires_at AS processor_until, f.ready_since AS due_since,
                CASE
                    WHEN c.failed > 0 THEN 'blocked_by_failures'
                    WHEN""" + ClaimSql.readyBetween(Kind.STEP, "t.id || '.'", "t.id || '/'") + """
                    THEN 'has_ready_steps'
                    WHEN c.active > 0 THEN 'processing'
                    WHEN c.waiting = 0 THEN 'all_complete'
                    ELSE 'waiting_for_dependencies' END AS execution_status
            FROM tasks t JOIN task_counters c ON c.task_id = t.id"""
            + ClaimSql.join(Kind.FINALIZATION, "t.id", "f");

    private static final Sql SHOW = Sql.of(SHOWN + " WHERE t.id = :id");

    private static final Sql SETTING = Sql.of("SELECT state, context FROM tasks WHERE id = :id");

    private static final Sql ON_FINISH = Sql.of("SELECT on_finish FROM tasks WHERE id = :id AND on_finish IS NOT NULL");

    private static final Sql SEQ = Sql.of("SELECT seq FROM tasks WHERE id = :id");

    private static final Sql END = Sql.of("""
            UPDATE tasks SET state = :state, reason = :reason, finished_at = :now, unsettled = :unsettled
            WHERE id = :id AND state = 'open'
            """);

    private static final Sql TELL = Sql.of("UPDATE tasks SET told_seq = :seq WHERE id = :id");
    private static final Sql TOLD = Sql.of("SELECT told_seq FROM tasks WHERE id = :id");

    private static final Sql UNSETTLED = Sql.of("SELECT id FROM tasks WHERE unsettled ORDER BY id LIMIT :max");
    private static final Sql SETTLED = Sql.of("UPDATE tasks SET unsettled = :unsettled WHERE id = :id");

    private TaskTable() {}

    /** A task created under the same key. */
    record Made(String id, String requestHash) {}

    /** What whoever does a step needs to know about its task; reading it does not touch the other steps. */
    record Setting(TaskState state, @Nullable String context) {}

    static Optional<Setting> setting(Transaction transaction, String id) throws SQLException {
        return transaction.first(
                SETTING,
                p -> p.text("id", id),
                row -> new Setting(TaskState.of(row.text("state")), row.textOrNull("context")));
    }

    static boolean insert(Transaction transaction, String id, NewTask task, String requestHash, long now)
            throws SQLException {
        return transaction
                .first(
                        INSERT,
                        p -> p.text("id", id)
                                .text("name", task.name())
                                .text("namespace", task.namespace())
                                .text("context", task.context())
                                .text("policy", task.policy().toString())
                                .text("finalizer", task.finalizer().toString())
                                .text("on_finish", task.onFinish())
                                .text("idempotency_key", task.idempotencyKey())
                                .text("request_hash", requestHash)
                                .time("now", now),
                        row -> row.text("id"))
                .isPresent();
    }

    static Optional<Made> sameKey(Transaction transaction, String namespace, @Nullable String idempotencyKey)
            throws SQLException {
        return transaction.first(
                SAME_KEY,
                p -> p.text("namespace", namespace).text("idempotency_key", idempotencyKey),
                row -> new Made(row.text("id"), row.text("request_hash")));
    }

    static Optional<String> onFinish(Transaction transaction, String id) throws SQLException {
        return transaction.first(ON_FINISH, p -> p.text("id", id), row -> row.text("on_finish"));
    }

    static Optional<Task> show(Transaction transaction, String id) throws SQLException {
        return ask(transaction, id).get();
    }

    static Pending<Optional<Task>> ask(Transaction transaction, String id) throws SQLException {
        return transaction.askFirst(SHOW, p -> p.text("id", id), TaskTable::read);
    }

    /** Newest first. */
    static List<Task> list(
            Transaction transaction, @Nullable TaskState state, @Nullable String namespace, long before, int max)
            throws SQLException {
        Sql sql = Sql.composed(SHOWN + " WHERE 1 = 1"
                + (before == Long.MAX_VALUE ? "" : " AND t.seq < :before")
                + (state == null ? "" : " AND t.state = '" + state + "'")
                + (namespace == null ? "" : " AND t.namespace = :namespace")
                + " ORDER BY t.seq DESC" + Sql.limit(max));
        return transaction.list(
                sql,
                p -> {
                    p.limit(max);
                    if (before < Long.MAX_VALUE) {
                        p.number("before", before);
                    }
                    if (namespace != null) {
                        p.text("namespace", namespace);
                    }
                },
                TaskTable::read);
    }

    static Optional<Long> seq(Transaction transaction, String id) throws SQLException {
        return transaction.first(SEQ, p -> p.text("id", id), row -> row.number("seq"));
    }

    /** False if it has already ended. */
    static boolean end(
            Transaction transaction, String id, TaskState state, @Nullable String reason, boolean unsettled, long now)
            throws SQLException {
        return transaction.update(
                        END,
                        p -> p.text("id", id)
                                .text("state", state.toString())
                                .text("reason", reason)
                                .flag("unsettled", unsettled)
                                .time("now", now))
                == 1;
    }

    /** Records that the finalization's holder has received the changes up to here. */
    static void showSeq(Transaction transaction, String id, long seq) throws SQLException {
        transaction.change(TELL, p -> p.text("id", id).number("seq", seq));
    }

    static long shownSeq(Transaction transaction, String id) throws SQLException {
        return transaction
                .first(TOLD, p -> p.text("id", id), row -> row.number("told_seq"))
                .orElse(0L);
    }

    /** Tasks that ended before all of their steps did. */
    static List<String> unsettled(Transaction transaction, int max) throws SQLException {
        return transaction.list(UNSETTLED, p -> p.number("max", max), row -> row.text("id"));
    }

    static void unsettled(Transaction transaction, String id, boolean unsettled) throws SQLException {
        transaction.change(SETTLED, p -> p.text("id", id).flag("unsettled", unsettled));
    }

    private static Task read(Row row) throws SQLException {
        TaskState stored = TaskState.of(row.text("state"));
        boolean held = row.text("finalization_state").equals("held");
        return new Task(
                row.text("id"),
                row.text("name"),
                row.text("namespace"),
                row.textOrNull("context"),
                Policy.of(row.text("policy")),
                Finalizer.of(row.text("finalizer")),
                row.textOrNull("on_finish"),
                stored == TaskState.OPEN && held ? TaskState.FINALIZING : stored,
                row.text("execution_status"),
                row.textOrNull("reason"),
                CounterTable.read(row),
                row.textOrNull("processor"),
                instant(row.timeOrNull("processor_until")),
                instant(row.timeOrNull("due_since")),
                LeaseClock.instant(row.time("created_at")),
                instant(row.timeOrNull("finished_at")));
    }

    static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : LeaseClock.instant(micros);
    }
}
