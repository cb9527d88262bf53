package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finished work, reviews and tasks, with their events, as if a broker had processed them: every row as a broker would
 * have written it, but inserted by a few statements into a store that nobody has open.
 *
 * <p>Of every eight claimed things, four are work items, two are reviews, one is a task's step and one its
 * finalization; together they have 57 rows, 27 of them events. All of it happened between 25 and 8 days ago, so what
 * pages show of the last day and week does not depend on the amount.
 */
final class History {
    private static final int THINGS = 8;
    private static final int ROWS_OF_THEM = 4 * 5 + 2 * 11 + 15;
    private static final int DAYS_AGO = 25;
    private static final int DAYS = 17;

    /** Valid for both engines; {second} stands for a second in the engine's syntax. */
    private static final List<String> ROWS = List.of(
            """
            INSERT INTO resources (key, kind, queue, labels, state, generation, ended_generation, ended_by, ended_as, most_attempts)
            SELECT 'work:hf-' || i, 'work', 'p' || (i % 20), '["\\ntype:task"]', 'done', 1, 1, 'agent-' || (i % 50),
                'completed as closed#41e71aacac3e3d09', 3 FROM past WHERE i <= {work}""",
            """
            INSERT INTO work_items (id, queue, title, type, priority, labels, status, created_at, updated_at, closed_at, closed_by,
                close_reason, last_call)
            SELECT 'hf-' || i, 'p' || (i % 20), 'Mend part ' || i || ' of the shop', 'task', 2, '[]', 'closed', at, at + 40 * {second},
                at + 40 * {second}, 'agent-' || (i % 50), 'done', id FROM past WHERE i <= {work} ORDER BY i""",
            """
            INSERT INTO events (at, type, resource, actor, generation, detail, origin)
            SELECT at + e.later * {second}, e.type, 'work:hf-' || i, CASE WHEN e.later > 0 THEN 'agent-' || (i % 50) END,
                CASE WHEN e.later > 0 THEN 1 END, e.detail, 802796181
            FROM past, (SELECT 0 AS later, 'work_created' AS type, '{"title":"Mend a part of the shop","type":"task"}' AS detail
                UNION ALL SELECT 20, 'claimed', NULL UNION ALL SELECT 40, 'work_closed', '{"reason":"done"}') e
            WHERE i <= {work} ORDER BY i, e.later""",
            """
            INSERT INTO resources (key, kind, queue, labels, state, generation, ended_generation, ended_by, ended_as)
            SELECT 'review:' || id, 'review', 'p' || (i % 20), '["\\u001Fby:6ff3b3bd11c44cac","\\u001Fmake:claude"]', 'done', 1, 1,
                'reviewer-' || (i % 5), 'completed as approved#7e5603bb9ee9bde1' FROM past WHERE i <= {reviews}""",
            """
            INSERT INTO reviews (id, project, project_key, category, intent, agent_type, agent_role, phase, priority, status, revision,
                verdict_reason, verdict_by, last_call, created_at, updated_at)
            SELECT id, 'p' || (i % 20), 'p' || (i % 20), 'code_change', 'Mend part ' || i || ' of the shop', 'claude', 'proposer', '-', 2,
                'closed', 'r2:' || id, 'fine', 'reviewer-' || (i % 5), id, at, at + 90 * {second}
            FROM past WHERE i <= {reviews} ORDER BY i""",
            """
            INSERT INTO revisions (review_id, round, number, revision, intent, description, diff, affected_files, source, created_at,
                wherever)
            SELECT id, 1, 1, 'r2:' || id, 'Mend part ' || i || ' of the shop', 'It was broken.', '{diff}',
                '[{"path":"shop.txt","operation":"modify","added":1,"removed":1}]', 'proposal', at, 'r1:' || id
            FROM past WHERE i <= {reviews}""",
            """
            INSERT INTO verdicts (review_id, round, revision, verdict, reason, reviewer, generation, at, read_all, agent, known_by)
            SELECT id, 1, 'r2:' || id, 'approved', 'fine', 'reviewer-' || (i % 5), 1, at + 60 * {second}, {true}, 'reviewer-' || (i % 5),
                'name' FROM past WHERE i <= {reviews} ORDER BY i""",
            """
            INSERT INTO receipts (review_id, round, number, generation, reviewer, ranges, characters, at)
            SELECT id, 1, 1, 1, 'reviewer-' || (i % 5), '0-48', 48, at + 40 * {second} FROM past WHERE i <= {reviews}""",
            """
            INSERT INTO proposers (review_id, round, agent, known_by, kin, at)
            SELECT id, 1, 'agent-' || (i % 50), 'name', '["agent-' || (i % 50) || '"]', at FROM past WHERE i <= {reviews}""",
            """
            INSERT INTO events (at, type, resource, actor, generation, detail, origin)
            SELECT at + e.later * {second}, e.type, 'review:' || id, e.actor, CASE WHEN e.later > 0 THEN 1 END, e.detail, 802796181
            FROM past, (SELECT 0 AS later, 'review_created' AS type, 'claude' AS actor,
                    '{"metadata":{"intent":"Mend the shop","category":"code_change"},"new_status":"pending"}' AS detail
                UNION ALL SELECT 30, 'claimed', 'reviewer-1', NULL
                UNION ALL SELECT 60, 'verdict_submitted', 'reviewer',
                    '{"metadata":{"verdict":"approved"},"new_status":"approved","old_status":"claimed"}'
                UNION ALL SELECT 90, 'review_closed', 'proposer', '{"new_status":"closed","old_status":"approved"}') e
            WHERE i <= {reviews} ORDER BY i, e.later""",
            """
            INSERT INTO tallied_reviews (review_id, project_key, category, status, since, created_at, judged, approved)
            SELECT id, 'p' || (i % 20), 'code_change', 'closed', at + 90 * {second}, at, {true}, {true} FROM past WHERE i <= {reviews}""",
            """
            INSERT INTO review_figures (project_key, figure, number, micros)
            SELECT 'p' || (i % 20), f.figure, count(*) * f.number, count(*) * f.micros
            FROM past, (SELECT 'approved' AS figure, 1 AS number, 0 AS micros UNION ALL SELECT 'category:code_change', 1, 0
                UNION ALL SELECT 'closed', 1, 90000000 UNION ALL SELECT 'judged', 1, 0 UNION ALL SELECT 'now:approved', 0, 0
                UNION ALL SELECT 'now:claimed', 0, 0 UNION ALL SELECT 'now:closed', 1, 0 UNION ALL SELECT 'now:pending', 0, 0
                UNION ALL SELECT 'stay:approved', 1, 30000000 UNION ALL SELECT 'stay:claimed', 1, 30000000
                UNION ALL SELECT 'stay:pending', 1, 30000000 UNION ALL SELECT 'verdict', 1, 60000000) f
            WHERE i <= {reviews} GROUP BY 'p' || (i % 20), f.figure, f.number, f.micros""",
            """
            INSERT INTO resources (key, kind, queue, state, generation, ended_generation, ended_by, ended_as)
            SELECT 'finalization:' || id, 'finalization', 'broker', 'done', 1, 1, 'broker-1', 'completed as complete#5212d0c6b3fc4b49'
            FROM past WHERE i <= {tasks}""",
            """
            INSERT INTO resources (key, kind, state, generation, ended_generation, ended_by, ended_as, most_attempts)
            SELECT 'step:' || id || '.s0', 'step', 'done', 1, 1, 'agent-' || (i % 50), 'completed as succeeded#ec495e0919aec21a', 3
            FROM past WHERE i <= {tasks}""",
            """
            INSERT INTO tasks (id, name, policy, finalizer, request_hash, state, told_seq, created_at, finished_at)
            SELECT id, 'build ' || i, 'all_succeeded', 'broker', id, 'complete', 2, at, at + 60 * {second}
            FROM past WHERE i <= {tasks} ORDER BY i""",
            "INSERT INTO task_counters (task_id, succeeded, requested_seq) SELECT id, 1, 2 FROM past WHERE i <= {tasks}",
            """
            INSERT INTO steps (id, task_id, key, position, state, max_attempts, result, finished_at)
            SELECT id || '.s0', id, 's0', 1, 'succeeded', 3, '{"ok":true}', at + 40 * {second} FROM past WHERE i <= {tasks}""",
            "INSERT INTO outbox (task_id, created_at) SELECT id, at + 60 * {second} FROM past WHERE i <= {tasks}",
            """
            INSERT INTO finalization_attempts (task_id, processor_id, operation, outcome, claimed, already_claimed_by, task_state, message,
                claim_generation, requested_seq, seconds, attempted_at)
            SELECT id, 'broker-1', e.operation, e.outcome, {true}, 'broker-1', 'complete', e.outcome, 1, 2, 0.007, at + 60 * {second}
            FROM past, (SELECT 1 AS later, 'claim' AS operation, 'granted' AS outcome UNION ALL SELECT 2, 'finish', 'finished') e
            WHERE i <= {tasks} ORDER BY i, e.later""",
            """
            INSERT INTO events (at, type, resource, actor, generation, detail, origin)
            SELECT at + e.later * {second}, e.type, e.kind || id || e.tail, e.actor, e.generation, e.detail, 802796181
            FROM past, (SELECT 0 AS later, 'task_created' AS type, 'finalization:' AS kind, '' AS tail, NULL AS actor,
                    CAST(NULL AS integer) AS generation, '{"name":"build","steps":1}' AS detail
                UNION ALL SELECT 1, 'step_created', 'step:', '.s0', NULL, NULL, NULL
                UNION ALL SELECT 20, 'claimed', 'step:', '.s0', 'agent-1', 1, NULL
                UNION ALL SELECT 40, 'step_succeeded', 'step:', '.s0', 'agent-1', 1, NULL
                UNION ALL SELECT 41, 'task_due', 'finalization:', '', NULL, 0, NULL
                UNION ALL SELECT 50, 'claimed', 'finalization:', '', 'broker-1', 1, NULL
                UNION ALL SELECT 60, 'task_finished', 'finalization:', '', 'broker-1', 1, '{"state":"complete"}') e
            WHERE i <= {tasks} ORDER BY i, e.later""",
            "UPDATE review_tally SET counted_until = (SELECT max(id) FROM events)",
            "DROP TABLE past");

    private History() {}

    /** The id of the review or task with this number, from 1. */
    static String id(long number) {
        return String.format(Locale.ROOT, "%08x-0000-4000-8000-%012d", number * 2654435761L % 4294967296L, number);
    }

    /**
     * @param place a PostgreSQL address, or SQLite's folder
     * @param rows the approximate total in all tables
     */
    static void write(String place, int rows) throws SQLException {
        boolean postgres = place.startsWith("jdbc:");
        if (postgres) {
            PostgresStore.open(place).close(); // creates the tables
        } else {
            SqliteStore.open(Path.of(place)).close();
        }
        Engine engine = postgres ? Engine.POSTGRES : Engine.SQLITE;
        try (Connection connection = DriverManager.getConnection(
                        postgres ? place : "jdbc:sqlite:" + Path.of(place).resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : statements(engine, rows / ROWS_OF_THEM * THINGS)) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> statements(Engine engine, int things) {
        List<String> all = new ArrayList<>();
        int work = things / 2;
        all.addAll(before(engine, work));
        for (String sql : ROWS) {
            all.add(sql.replace("{work}", Integer.toString(work))
                    .replace("{reviews}", Integer.toString(things / 4))
                    .replace("{tasks}", Integer.toString(things / 8))
                    .replace("{diff}", "--- a/shop.txt\n+++ b/shop.txt\n@@ -1 +1 @@\n-a\n+b\n")
                    .replace("{second}", engine == Engine.POSTGRES ? "interval '1 second'" : "1000000")
                    .replace("{true}", engine == Engine.POSTGRES ? "true" : "1"));
        }
        // as autovacuum would do eventually; on SQLite, the broker never collects statistics
        all.addAll(
                engine == Engine.POSTGRES
                        ? List.of("VACUUM ANALYZE", "CHECKPOINT")
                        : List.of("COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)"));
        return all;
    }

    /** A table of times, each with an id that looks like a UUID and, like those, is not in order. */
    private static List<String> before(Engine engine, int count) {
        return switch (engine) {
            case POSTGRES -> List.of("""
                    CREATE TEMP TABLE past AS SELECT i, lpad(to_hex(i * 2654435761 %% 4294967296), 8, '0') || '-0000-4000-8000-'
                        || lpad(i::text, 12, '0') AS id,
                        now() - interval '%d days' + interval '%d days' * (i::float8 / %d) AS at
                    FROM generate_series(1::bigint, %d) AS i""".formatted(DAYS_AGO, DAYS, count, count), "ANALYZE past");
            case SQLITE ->
                List.of("PRAGMA synchronous = OFF", "PRAGMA cache_size = -1000000", "BEGIN", """
                    CREATE TEMP TABLE past AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
                    SELECT i, printf('%%08x-0000-4000-8000-%%012d', i * 2654435761 %% 4294967296, i) AS id,
                        (CAST(strftime('%%s', 'now') AS INTEGER) - %d * 86400) * 1000000 + %d * 86400000000 / %d * i AS at
                    FROM n""".formatted(
                                count, DAYS_AGO, DAYS, count));
        };
    }
}
