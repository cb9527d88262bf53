package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Finished work costs nothing: the plans and the pages touched stay the same however much of it there is. */
class QueryPlansTest {
    private static final Pattern PAGES = Pattern.compile("shared (?:hit=(\\d+))?(?: ?read=(\\d+))?");

    /** The hot queries as they are in their classes, with values in place of parameters. */
    private static final Map<String, String> QUERIES = new TreeMap<>(Map.of(
            "claim", "SELECT * FROM resources WHERE key = 'work:r7'",
            "claim next of one queue", """
                    SELECT r.key FROM resources r WHERE r.state = 'ready' AND NOT r.kept AND r.not_before IS NULL
                        AND r.kind = 'work' AND r.queue = 'q' ORDER BY r.priority, r.seq LIMIT 1""",
            "first queue", """
                    SELECT min(r.queue) FROM resources r WHERE r.state = 'ready' AND NOT r.kept AND r.not_before IS NULL
                        AND r.kind = 'work'""",
            "who", "SELECT * FROM resources r WHERE r.state = 'held' AND r.holder = 'h3'",
            "all held", "SELECT * FROM resources r WHERE r.state = 'held' ORDER BY r.acquired_at, r.key",
            "sweep", "SELECT * FROM resources WHERE state = 'held' AND expires_at <= %s ORDER BY key LIMIT 500"));

    private static final int HELD = 200;

    /** These read every held row, in the worst case from a page each. */
    private static final Set<String> OVER_ALL_HELD = Set.of("all held", "sweep");

    @Test
    void fifty_thousand_finished_rows_on_postgresql_change_neither_plan_nor_pages() throws SQLException {
        assertPostgresDoesNotCare(50_000);
    }

    @Test
    @Tag("heavy")
    void a_million_finished_rows_on_postgresql_change_neither_plan_nor_pages() throws SQLException {
        assertPostgresDoesNotCare(1_000_000);
    }

    @Test
    void fifty_thousand_finished_rows_on_sqlite_are_never_scanned() throws Exception {
        assertSqliteUsesIndexes(50_000);
    }

    @Test
    @Tag("heavy")
    void a_million_finished_rows_on_sqlite_are_never_scanned() throws Exception {
        assertSqliteUsesIndexes(1_000_000);
    }

    private static void assertPostgresDoesNotCare(int finished) throws SQLException {
        Map<String, Integer> few = pagesTouched(1_000);
        Map<String, Integer> many = pagesTouched(finished);
        few.forEach((query, pages) -> assertThat(many.get(query))
                .as("pages of %s: %d with few rows", query, pages)
                .isLessThanOrEqualTo(pages + (OVER_ALL_HELD.contains(query) ? HELD : 12)));
    }

    private static Map<String, Integer> pagesTouched(int finished) throws SQLException {
        String database = TestPostgres.freshDatabase();
        Map<String, Integer> touched = new TreeMap<>();
        try (Connection connection = TestPostgres.connectAsBroker(database);
                Statement statement = connection.createStatement()) {
            for (String fill : List.of(
                    "INSERT INTO resources (key, kind, queue, state, generation) SELECT 'work:d' || i, 'work', 'q', 'done', 1 FROM generate_series(1, "
                            + finished + ") i",
                    "INSERT INTO resources (key, kind, queue, state) SELECT 'work:r' || i, 'work', 'q', 'ready' FROM generate_series(1, 200) i",
                    "INSERT INTO resources (key, kind, queue, state, holder, generation, acquired_at, expires_at)"
                            + " SELECT 'work:h' || i, 'work', 'q', 'held', 'h' || i % 10, 1, now(), now() + interval '1 hour'"
                            + " FROM generate_series(1, " + HELD + ") i")) {
                statement.execute(fill);
            }
            statement.execute("VACUUM ANALYZE resources");
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                touched.put(query.getKey(), explain(statement, query.getKey(), query.getValue()));
            }
        }
        return touched;
    }

    private static int explain(Statement statement, String name, String query) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet lines = statement.executeQuery(
                "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) " + String.format(Locale.ROOT, query, "now()"))) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        assertThat(plan.toString()).as(name).doesNotContain("Seq Scan");
        Matcher pages = PAGES.matcher(plan);
        assertThat(pages.find()).as(plan.toString()).isTrue();
        return number(pages.group(1)) + number(pages.group(2));
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static void assertSqliteUsesIndexes(int finished) throws Exception {
        try (TestStore on = TestStore.ticking(Engine.SQLITE);
                Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + Objects.requireNonNull(on.folder()).resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + finished
                    + ") INSERT INTO resources (key, kind, queue, state, generation)"
                    + " SELECT 'work:d' || i, 'work', 'q', 'done', 1 FROM n");
            statement.execute("ANALYZE"); // statistics must not mislead the planner either
            for (String query : everyStatement(on)) {
                try (ResultSet lines = statement.executeQuery("EXPLAIN QUERY PLAN " + query)) {
                    while (lines.next()) {
                        assertThat(lines.getString("detail"))
                                .as(query)
                                .doesNotMatch("SCAN (r|resources)( USING.*INDEX sqlite_autoindex.*)?");
                    }
                }
            }
        }
    }

    /** All statements on resources, read from their classes after every form of claim-next was used. */
    private static List<String> everyStatement(TestStore on) throws Exception {
        try (Claims claims = Claims.over(on.store())) {
            for (Filter filter : List.of(Filter.ANY, Filter.queue("q"), new Filter("q", Set.of("java")))) {
                claims.claimNext(NextRequest.of(Kind.WORK, "ann").filter(filter));
                claims.claimNext(NextRequest.of(Kind.WORK, "ann").filter(filter).requestId("r"));
            }
        }
        List<String> statements = new ArrayList<>();
        for (Class<?> table : List.of(ResourceTable.class, Holdings.class, Candidates.class)) {
            for (Field field : table.getDeclaredFields()) {
                if (field.getType() == Sql.class) {
                    statements.add(text(Objects.requireNonNull(value(field))));
                } else if (field.getType() == Map.class) {
                    for (Object one : ((Map<?, ?>) Objects.requireNonNull(value(field))).values()) {
                        String text = text(one);
                        if (!text.contains("LATERAL") && !text.contains("jsonb")) { // otherwise only for PostgreSQL
                            statements.add(text);
                        }
                    }
                }
            }
        }
        assertThat(statements).hasSizeGreaterThan(20);
        return statements;
    }

    private static @Nullable Object value(Field field) throws IllegalAccessException {
        field.setAccessible(true);
        return field.get(null);
    }

    private static String text(Object sql) throws ReflectiveOperationException {
        Method text = Sql.class.getDeclaredMethod("text", Engine.class);
        text.setAccessible(true);
        return (String) text.invoke(sql, Engine.SQLITE);
    }
}
