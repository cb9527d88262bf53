package dev.holdfast.review;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A store full of reviews that are over, eight events each, written straight into the tables; and as many events again of
 * other things, which must not be in the way.
 */
public final class ManyReviews {
    private static final int EVENTS_EACH = 8;
    private static final int PROJECTS = 20;

    private ManyReviews() {}

    static Connection connect(TestStore on) throws SQLException {
        return on.address() == null
                ? DriverManager.getConnection(
                        "jdbc:sqlite:" + Objects.requireNonNull(on.folder()).resolve("holdfast.db"))
                : TestPostgres.connect(on.address());
    }

    /** For statements with parameters that are given no values, which PostgreSQL explains in its simple protocol only. */
    static Connection connectPlainly(TestStore on) throws SQLException {
        String address = on.address();
        return address == null
                ? connect(on)
                : TestPostgres.connectAsBroker(
                        address + (address.contains("?") ? "&" : "?") + "preferQueryMode=simple");
    }

    /** Filled before anybody follows its events. Review number i is called many-i and belongs to project p(i mod 20). */
    static TestStore filled(Engine engine, int reviews) throws SQLException {
        TestStore on = TestStore.ticking(engine);
        try {
            fill(on, reviews);
            return on;
        } catch (SQLException e) {
            on.close();
            throw e;
        }
    }

    private static void fill(TestStore on, int reviews) throws SQLException {
        try (Connection connection = connect(on)) {
            fill(on.store().engine(), connection, reviews);
        }
    }

    /** The same in a store that nobody has open. */
    public static void fill(Engine engine, Connection connection, int reviews) throws SQLException {
        String numbers = numbers(engine, "n", "i", reviews);
        String steps = numbers(engine, "s", "k", EVENTS_EACH);
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : List.of(
                    "INSERT INTO resources (key, kind, queue, state, generation) SELECT 'review:many-' || i, 'review', 'p' || (i %% %d), 'done', 1 FROM %s"
                            .formatted(PROJECTS, numbers),
                    """
                    INSERT INTO reviews (id, project, project_key, category, intent, agent_type, agent_role, phase, priority, status,
                        revision, last_call, created_at, updated_at)
                    SELECT 'many-' || i, 'p' || (i %% %d), 'p' || (i %% %d), 'code_change', 'change number ' || i, 'gsd-executor', 'proposer', '7', 2,
                        'closed', 'r' || i, 'c' || i, %s, %s FROM %s""".formatted(PROJECTS, PROJECTS, at(engine, "0"), at(engine, "7"), numbers),
                    "INSERT INTO messages (id, review_id, sender_role, round, body, at) SELECT 'm' || i, 'many-' || i, 'reviewer', 1, 'why?', %s FROM %s"
                            .formatted(at(engine, "2"), numbers),
                    "INSERT INTO verdicts (review_id, round, revision, verdict, reviewer, generation, at) SELECT 'many-' || i, 1, 'r' || i, 'approved', 'r1', 1, %s FROM %s"
                            .formatted(at(engine, "6"), numbers),
                    """
                    INSERT INTO events (at, type, resource, actor, generation, detail, origin)
                    SELECT %s, CASE k WHEN 0 THEN 'review_created' WHEN 1 THEN 'claimed' WHEN 6 THEN 'verdict_submitted'
                            WHEN 7 THEN 'review_closed' ELSE 'message_sent' END,
                        'review:many-' || i, 'r1', 1,
                        CASE k WHEN 0 THEN '{"new_status":"pending"}' WHEN 6 THEN '{"old_status":"claimed","new_status":"approved"}'
                            WHEN 7 THEN '{"old_status":"approved","new_status":"closed"}' END, 1
                    FROM %s, %s ORDER BY i, k""".formatted(at(engine, "k"), numbers, steps),
                    "INSERT INTO events (at, type, resource, actor, origin) SELECT %s, 'reviewer_spawned', 'reviewer:r' || i, 'pool-manager', 1 FROM %s"
                            .formatted(at(engine, "0"), numbers),
                    "INSERT INTO events (at, type, resource, actor, generation, origin) SELECT %s, 'claimed', 'work:' || i, 'a1', 1, 1 FROM %s"
                            .formatted(at(engine, "0"), numbers))) {
                statement.execute(sql);
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute(engine == Engine.SQLITE ? "ANALYZE" : "VACUUM ANALYZE");
        }
    }

    private static String numbers(Engine engine, String table, String name, int count) {
        return switch (engine) {
            case SQLITE ->
                "(WITH RECURSIVE g (v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM g WHERE v < %d) SELECT v AS %s FROM g) %s"
                        .formatted(count - 1, name, table);
            case POSTGRES -> "generate_series(0, %d) AS %s (%s)".formatted(count - 1, table, name);
        };
    }

    /** Some steps of 250 ms after review i was made, the oldest of them a month ago. */
    private static String at(Engine engine, String steps) {
        return String.format(
                Locale.ROOT,
                engine == Engine.SQLITE
                        ? "(CAST(strftime('%%s', 'now') AS INTEGER) - 2592000 + i) * 1000000 + %s * 250000"
                        : "now() - interval '30 days' + i * interval '1 second' + %s * interval '250 ms'",
                steps);
    }
}
