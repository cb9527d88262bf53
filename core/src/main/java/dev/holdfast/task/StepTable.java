package dev.holdfast.task;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code steps} and their dependencies. */
final class StepTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO steps (id, task_id, key, position, state, open_dependencies, max_attempts, input)
            VALUES (:id, :task_id, :key, :position, :state, :open_dependencies, :max_attempts, :input)
            """);

    private static final Sql DEPEND =
            Sql.of("INSERT INTO step_dependencies (step_id, depends_on) VALUES (:step_id, :depends_on)");

    private static final String CLAIMED = claimed("steps", "s");

    private static final String SHOWN = "SELECT s.*" + CLAIMED;

    /** Without input and result, which may be large. */
    private static final String OUTLINED = """
            SELECT s.id, s.task_id, s.key, s.position, s.state, s.open_dependencies, s.max_attempts, s.error, s.finished_at,
                CAST(NULL AS text) AS input, CAST(NULL AS text) AS result
            """ + CLAIMED;

    private static final String OF_TASK =
            " WHERE s.task_id = :task_id AND s.position > :after ORDER BY s.task_id, s.position LIMIT :max";

    private static final Sql SHOW = Sql.of(SHOWN + " WHERE s.id = :id");
    private static final Sql OUTLINE_ALL = Sql.of(OUTLINED + " WHERE s.id = ANY (:ids)");
    private static final Sql SHOW_OF_TASK =
            Sql.of("""
            SELECT * FROM (
                SELECT page.*, sum(size) OVER (ORDER BY position) - size AS before FROM (
            """ + "SELECT s.*, coalesce(octet_length(s.input), 0) + coalesce(octet_length(s.result), 0) AS size"
                    + CLAIMED + OF_TASK + """
            ) page) pages WHERE before < :most ORDER BY position
            """);
    private static final Sql OUTLINE_OF_TASK = Sql.of(OUTLINED + OF_TASK);
    private static final Sql OPEN = Sql.of("""
            SELECT id FROM steps WHERE task_id = :task_id AND state IN ('waiting', 'active') ORDER BY id LIMIT :max
            """);
    /** The results of a step that can have waited for thousands of others may be more than the memory holds. */
    private static final Sql DEPENDENCIES = Sql.of("""
            SELECT summed.id, summed.task_id, summed.key, summed.position, summed.state, summed.open_dependencies,
                summed.max_attempts, summed.error, summed.finished_at, CAST(NULL AS text) AS input,
                CASE WHEN summed.upto <= :most THEN summed.result END AS result,
                CASE WHEN summed.upto > :most AND summed.result IS NOT NULL THEN 1 ELSE 0 END AS left_out""" + claimed("""
            (SELECT b.*, sum(coalesce(octet_length(b.result), 0)) OVER (ORDER BY b.position) AS upto
                FROM steps b JOIN step_dependencies d ON d.depends_on = b.id WHERE d.step_id = :id)""", "summed") + """
             ORDER BY summed.position
            """);

    private static final Sql OPEN_DEPENDENCIES = Sql.of("""
            SELECT b.key FROM step_dependencies d JOIN steps b ON b.id = d.depends_on
            WHERE d.step_id = :id AND b.state <> 'succeeded' ORDER BY b.position LIMIT :max
            """);

    private static final Sql OF_STATE = Sql.of(OUTLINED + """
             WHERE s.task_id = :task_id AND s.state = :state ORDER BY s.position LIMIT :max
            """);
    private static final Sql KEYS_WAITED_FOR = Sql.of("""
            SELECT s.id, b.key FROM steps s JOIN step_dependencies d ON d.step_id = s.id JOIN steps b ON b.id = d.depends_on
            WHERE s.task_id = :task_id AND s.position BETWEEN :first AND :last ORDER BY s.position, b.position
            """);

    private static final Sql WAITING_FOR = Sql.of("""
            SELECT s.id, count(*) AS times FROM step_dependencies d JOIN steps s ON s.id = d.step_id
            WHERE d.depends_on = ANY (:ids) AND s.state = 'waiting' GROUP BY s.id
            """);

    private static final Sql WAITS = Sql.of("SELECT 1 AS waits FROM steps WHERE id = :id AND state = 'waiting'");

    private static final Sql DECREMENT = Sql.of("""
            UPDATE steps SET open_dependencies = open_dependencies - :times,
                state = CASE WHEN open_dependencies = :times THEN 'active' ELSE state END
            WHERE id = :id AND state = 'waiting' RETURNING state
            """);

    private static final Sql END = Sql.of("""
            UPDATE steps SET state = :state, result = :result, error = :error, finished_at = :now WHERE id = :id
            """);

    private static final Sql LAST_POSITION =
            Sql.of("SELECT coalesce(max(position), 0) AS position FROM steps WHERE task_id = :task_id");

    /** How many bytes of inputs and results are read together. */
    private static final long MOST_AT_ONCE = 8 << 20;

    private StepTable() {}

    /** Steps, each with its claim. */
    private static String claimed(String steps, String alias) {
        return """
            , r.state AS claim_state, r.holder, r.acquired_at, r.expires_at, r.not_before, r.attempts, r.note
            FROM\s""" + steps + " " + alias + ClaimSql.join(Kind.STEP, alias + ".id", "r");
    }

    static void insert(
            Transaction transaction, String taskId, NewStep step, long position, boolean waiting, long openDependencies)
            throws SQLException {
        transaction.change(
                INSERT,
                p -> p.text("id", Step.id(taskId, step.key()))
                        .text("task_id", taskId)
                        .text("key", step.key())
                        .number("position", position)
                        .text("state", waiting ? "waiting" : "active")
                        .number("open_dependencies", openDependencies)
                        .number("max_attempts", step.maxAttempts())
                        .text("input", step.input()));
    }

    static void depend(Transaction transaction, String stepId, String dependsOn) throws SQLException {
        transaction.change(DEPEND, p -> p.text("step_id", stepId).text("depends_on", dependsOn));
    }

    static Optional<Step> show(Transaction transaction, String id) throws SQLException {
        return transaction.first(SHOW, p -> p.text("id", id), StepTable::read);
    }

    /** Those of these steps that exist, by id, without input and result. */
    static Pending<Map<String, Step>> askOutlines(Transaction transaction, Collection<String> ids) throws SQLException {
        Pending<List<Step>> all = transaction.ask(OUTLINE_ALL, p -> p.texts("ids", ids), StepTable::read);
        return () -> {
            Map<String, Step> steps = new HashMap<>();
            all.get().forEach(step -> steps.put(step.id(), step));
            return steps;
        };
    }

    /** In the order in which they were given; at most this many, after this position, without input and result. */
    static List<Step> outlines(Transaction transaction, String taskId, long after, int max) throws SQLException {
        return transaction.list(
                OUTLINE_OF_TASK,
                p -> p.text("task_id", taskId).number("after", after).number("max", max),
                StepTable::read);
    }

    /** As above with input and result, and fewer where these would be too much for one answer. */
    static List<Step> ofTask(Transaction transaction, String taskId, long after, int max) throws SQLException {
        return transaction.list(
                SHOW_OF_TASK,
                p -> p.text("task_id", taskId)
                        .number("after", after)
                        .number("max", max)
                        .number("most", MOST_AT_ONCE),
                StepTable::read);
    }

    static List<String> open(Transaction transaction, String taskId, int max) throws SQLException {
        return transaction.list(OPEN, p -> p.text("task_id", taskId).number("max", max), row -> row.text("id"));
    }

    /** The keys of the first steps that this one still waits for, at most this many. */
    static List<String> openDependencies(Transaction transaction, String id, int max) throws SQLException {
        return transaction.list(OPEN_DEPENDENCIES, p -> p.text("id", id).number("max", max), row -> row.text("key"));
    }

    /**
     * Without input and result.
     *
     * @param state waiting, active, succeeded, failed, skipped or cancelled
     */
    static List<Step> ofState(Transaction transaction, String taskId, String state, int max) throws SQLException {
        return transaction.list(
                OF_STATE, p -> p.text("task_id", taskId).text("state", state).number("max", max), StepTable::read);
    }

    /** The keys of what each step in this range of the task waits or waited for. */
    static Map<String, List<String>> keysWaitedFor(Transaction transaction, String taskId, long first, long last)
            throws SQLException {
        Map<String, List<String>> keys = new HashMap<>();
        transaction.list(
                KEYS_WAITED_FOR,
                p -> p.text("task_id", taskId).number("first", first).number("last", last),
                row -> keys.computeIfAbsent(row.text("id"), _ -> new ArrayList<>())
                        .add(row.text("key")));
        return keys;
    }

    /** What this step waited for, with results as far as these are not too much for one answer. */
    static List<Dependency> dependencies(Transaction transaction, String id) throws SQLException {
        return transaction.list(
                DEPENDENCIES,
                p -> p.text("id", id).number("most", MOST_AT_ONCE),
                row -> new Dependency(read(row), row.number("left_out") > 0));
    }

    /**
     * A step that another one waited for.
     *
     * @param leftOut it has a result, which is left out here
     */
    record Dependency(Step step, boolean leftOut) {}

    /**
     * The steps that wait for these, each with the number of these that it waits for; lock them before changing them.
     */
    static Map<String, Long> waitingFor(Transaction transaction, Collection<String> ids) throws SQLException {
        Map<String, Long> waiting = new TreeMap<>();
        if (ids.isEmpty()) {
            return waiting;
        }
        transaction.list(
                WAITING_FOR, p -> p.texts("ids", ids), row -> waiting.put(row.text("id"), row.number("times")));
        return waiting;
    }

    static boolean waits(Transaction transaction, String id) throws SQLException {
        return transaction
                .first(WAITS, p -> p.text("id", id), row -> row.number("waits"))
                .isPresent();
    }

    /** Reduces what it waits for by this many; returns true if nothing is left. */
    static boolean decrement(Transaction transaction, String id, long times) throws SQLException {
        return transaction
                .first(DECREMENT, p -> p.text("id", id).number("times", times), row -> row.text("state"))
                .filter("active"::equals)
                .isPresent();
    }

    static void end(Transaction transaction, String id, StepState state, @Nullable String error, long now)
            throws SQLException {
        transaction.change(END, p -> bind(p, id, state, null, error, now));
    }

    static void endAll(Transaction transaction, Collection<StepEnd> ends, long now) throws SQLException {
        transaction.updateAll(
                END, ends, (p, end) -> bind(p, end.stepId(), end.state(), end.result(), end.error(), now));
    }

    private static void bind(
            Parameters p, String id, StepState state, @Nullable String result, @Nullable String error, long now)
            throws SQLException {
        p.text("id", id)
                .text("state", state.toString())
                .text("result", result)
                .text("error", error)
                .time("now", now);
    }

    static long lastPosition(Transaction transaction, String taskId) throws SQLException {
        return transaction
                .first(LAST_POSITION, p -> p.text("task_id", taskId), row -> row.number("position"))
                .orElse(0L);
    }

    private static Step read(Row row) throws SQLException {
        StepState state = state(row);
        return new Step(
                row.text("id"),
                row.text("task_id"),
                row.text("key"),
                row.number("position"),
                state,
                row.textOrNull("input"),
                row.textOrNull("result"),
                row.textOrNull(state == StepState.RETRY_WAIT ? "note" : "error"),
                attempts(row, state),
                row.number("max_attempts"),
                row.number("open_dependencies"),
                row.textOrNull("holder"),
                TaskTable.instant(row.timeOrNull("acquired_at")),
                TaskTable.instant(row.timeOrNull("expires_at")),
                TaskTable.instant(row.timeOrNull("not_before")),
                TaskTable.instant(row.timeOrNull("finished_at")));
    }

    /** The attempt that failed for good ended the claim, so the claim did not count it. */
    private static long attempts(Row row, StepState state) throws SQLException {
        long counted = row.number("attempts");
        return state == StepState.FAILED ? Math.min(counted + 1, row.number("max_attempts")) : counted;
    }

    private static StepState state(Row row) throws SQLException {
        String stored = row.text("state");
        if (!stored.equals("active")) {
            return StepState.of(stored);
        }
        if (row.text("claim_state").equals("held")) {
            return StepState.CLAIMED;
        }
        return row.timeOrNull("not_before") == null ? StepState.READY : StepState.RETRY_WAIT;
    }
}
