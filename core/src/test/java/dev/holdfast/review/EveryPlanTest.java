package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Statements;
import dev.holdfast.testing.TestStore;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever is asked of a store of any size is answered from an index: every query that the core has as a constant, by its plan. */
class EveryPlanTest {
    /** What has one row, or few and none more however much is done. */
    private static final Set<String> SMALL = Set.of(
            "SCAN work_graph",
            "SCAN generation_floor",
            "SCAN pool_turn",
            "SCAN review_tally",
            "SCAN latest_time",
            "SCAN review_figures",
            "SCAN tokens",
            "SCAN repositories",
            "SCAN latest_items", // at most 500, by an index
            "SCAN largest", // at most 50 projects
            "SCAN page", // of messages
            "SCAN sized", // the same
            "SCAN pages", // of steps
            "SCAN summed", // the dependencies of one step
            "SCAN ids");

    /** What may read more: the sweep of sessions, once in a while; and the newest event, which is the first that is read. */
    private static final Set<String> ALLOWED = Set.of("SessionRetention: SCAN agents", "SqliteStore: SCAN events");

    @Test
    void no_query_reads_a_whole_table() throws Exception {
        Set<String> scans = new TreeSet<>();
        int queries = 0;
        try (TestStore on = ManyReviews.filled(Engine.SQLITE, 1_000);
                Connection connection = ManyReviews.connect(on);
                Statement statement = connection.createStatement()) {
            for (Class<?> one : classes()) {
                for (String sql : Statements.constants(Engine.SQLITE, one)) {
                    if (sql.stripLeading().startsWith("SELECT")) {
                        queries++;
                        plan(statement, sql)
                                .filter(line -> line.startsWith("SCAN") && !line.contains(" USING "))
                                .filter(line -> !line.contains("json_each")
                                        && !line.contains("(subquery")
                                        && !line.contains("CONSTANT"))
                                .filter(line -> !SMALL.contains(line))
                                .map(line -> one.getSimpleName() + ": " + line)
                                .filter(line -> !ALLOWED.contains(line))
                                .forEach(line -> scans.add(line + " in " + sql));
                    }
                }
            }
        }
        assertThat(scans).isEmpty();
        assertThat(queries).isGreaterThan(150);
    }

    private static Stream<String> plan(Statement statement, String sql) throws SQLException {
        Stream.Builder<String> plan = Stream.builder();
        try (ResultSet lines = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (lines.next()) {
                plan.add(lines.getString("detail"));
            }
        } catch (SQLException e) {
            assertThat(e.getMessage()) // it is for PostgreSQL only
                    .as(sql)
                    .containsPattern("no such function|no such table|unrecognized token");
        }
        return plan.build();
    }

    /** Those of the core that name statements. */
    private static Set<Class<?>> classes() throws IOException, URISyntaxException {
        Path root = Path.of(
                Sql.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(file ->
                            root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", ""))
                    .filter(name -> name.startsWith("dev.holdfast.") && !name.endsWith("-info"))
                    .map(EveryPlanTest::load)
                    .collect(Collectors.toSet());
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
