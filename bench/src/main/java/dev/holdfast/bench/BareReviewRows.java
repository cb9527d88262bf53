package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The least that SQLite can do for whole reviews, in its own JVM: the rows that they leave behind, written by one thread
 * with prepared statements in durable transactions of 32 calls. It reads nothing, checks nothing and answers nobody.
 */
final class BareReviewRows {
    private static final int REVIEWS_PER_COMMIT = 8; // one of the four calls for each

    private static final List<String> CREATE = List.of(
            """
            INSERT INTO resources (key, kind, queue, state, ready_since) VALUES ('review:' || ?1, 'review', 'bench', 'ready', ?2)""",
            """
            INSERT INTO reviews (id, project, project_key, intent, agent_type, agent_role, phase, priority, status, revision,
                last_call, created_at, updated_at)
            VALUES (?1, 'bench', 'bench', 'add a cache', 'agent-1', 'proposer', '7', 2, 'pending',
                't1:c34ab6abb7b2bb595bc25c3b388c872fd1d575819a8f55cc689510285e212385', ?1, ?2, ?2)""",
            """
            INSERT INTO revisions (review_id, round, number, revision, intent, source, created_at)
            VALUES (?1, 1, 1, 't1:c34ab6abb7b2bb595bc25c3b388c872fd1d575819a8f55cc689510285e212385', 'add a cache', 'proposal', ?2)""",
            "INSERT INTO proposers (review_id, round, known_by, kin, at) VALUES (?1, 1, 'nothing', '[]', ?2)",
            event(
                    "review_created",
                    "{\"metadata\":{\"intent\":\"add a cache\",\"project\":\"bench\"},\"new_status\":\"pending\"}"));

    private static final List<String> CLAIM =
            List.of("UPDATE reviews SET last_call = ?1, updated_at = ?2 WHERE id = ?1", """
            UPDATE resources SET state = 'held', holder = 'reviewer-of-agent-1', generation = 1, acquired_at = ?2, renewed_at = ?2,
                expires_at = ?2 + 1200000000, lease = 1200000000, request_id = ?1, ready_since = NULL WHERE key = 'review:' || ?1""", event("claimed", ""));

    private static final List<String> APPROVE = List.of(
            """
            INSERT INTO verdicts (review_id, round, revision, verdict, reason, reviewer, generation, read_all, agent, known_by, at)
            VALUES (?1, 1, 't1:c34ab6abb7b2bb595bc25c3b388c872fd1d575819a8f55cc689510285e212385', 'approved', 'fine',
                'reviewer-of-agent-1', 1, 1, 'reviewer-of-agent-1', 'name', ?2)""",
            """
            UPDATE reviews SET status = 'approved', verdict_reason = 'fine', verdict_by = 'reviewer-of-agent-1', last_call = ?1,
                updated_at = ?2 WHERE id = ?1""",
            """
            UPDATE resources SET state = 'done', holder = NULL, acquired_at = NULL, renewed_at = NULL, expires_at = NULL,
                lease = NULL, request_id = NULL, ended_generation = 1, ended_by = 'reviewer-of-agent-1',
                ended_as = 'completed as approved' WHERE key = 'review:' || ?1 AND ?2 > 0""",
            event(
                    "verdict_submitted",
                    "{\"metadata\":{\"verdict\":\"approved\",\"reason\":\"fine\"},\"new_status\":\"approved\"}"));

    private static final List<String> CLOSE = List.of(
            "UPDATE reviews SET status = 'closed', last_call = ?1, updated_at = ?2 WHERE id = ?1",
            event("review_closed", "{\"new_status\":\"closed\",\"old_status\":\"approved\"}"));

    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final List<List<PreparedStatement>> verbs = new ArrayList<>();
    private final NearbyIds ids = new NearbyIds();
    private final List<List<String>> stages = new ArrayList<>();

    private BareReviewRows(Connection connection) throws SQLException {
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        for (List<String> verb : List.of(CREATE, CLAIM, APPROVE, CLOSE)) {
            List<PreparedStatement> statements = new ArrayList<>();
            for (String text : verb) {
                statements.add(connection.prepareStatement(text));
            }
            verbs.add(statements);
        }
    }

    private static String event(String type, String detail) {
        return "INSERT INTO events (at, type, resource, actor, generation, detail, origin) VALUES (?2, '" + type
                + "', 'review:' || ?1, 'agent-1', 1, '" + detail + "', 1)";
    }

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        Path folder = Path.of(arguments.getOrDefault("store", ""));
        long warm = Long.parseLong(arguments.getOrDefault("warm", "0")) * 1_000_000;
        long measured = Long.parseLong(arguments.getOrDefault("measured", "1000")) * 1_000_000;
        SqliteStore.open(folder).close(); // creates the schema
        try (Connection connection = DurableSqlite.open(folder.resolve("holdfast.db"));
                PreparedStatement cache = connection.prepareStatement("PRAGMA cache_size = -16000");
                PreparedStatement checkpoint = connection.prepareStatement("PRAGMA wal_autocheckpoint = 4000")) {
            cache.execute();
            checkpoint.execute();
            BareReviewRows rows = new BareReviewRows(connection);
            System.out.println(Figures.write(rows.measure(warm, measured)));
        }
    }

    private Figure measure(long warm, long measured) throws SQLException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < warm) {
            commitOne();
        }
        ProcessorTime used = ProcessorTime.now("");
        long from = System.nanoTime();
        long cycles = 0;
        while (System.nanoTime() - from < measured) {
            commitOne();
            cycles += REVIEWS_PER_COMMIT;
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        Map<String, Double> details = new LinkedHashMap<>();
        ProcessorTime.now("").tellSince(used, cycles, details);
        return new Figure(cycles / seconds, details, List.of());
    }

    /** New reviews are created, those of the last commit claimed, those before approved, those before closed. */
    private void commitOne() throws SQLException {
        stages.addFirst(Stream.generate(ids).limit(REVIEWS_PER_COMMIT).toList());
        begin.executeUpdate();
        long now = System.currentTimeMillis() * 1_000;
        for (int stage = 0; stage < Math.min(stages.size(), verbs.size()); stage++) {
            for (String id : stages.get(stage)) {
                for (PreparedStatement statement : verbs.get(stage)) {
                    statement.setString(1, id);
                    statement.setLong(2, now);
                    statement.executeUpdate();
                }
            }
        }
        commit.executeUpdate();
        if (stages.size() > verbs.size()) {
            stages.removeLast();
        }
    }
}
