package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Filter;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Statements;
import dev.holdfast.testing.TestStore;
import dev.holdfast.work.Backlog.ItemFilter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the board reads does not grow with what is done. */
class BoardPlansTest {
    private static final int DONE = 20_000;

    @ParameterizedTest
    @EnumSource
    void no_lane_reads_all_that_was_ever_done(Board.Lane lane) throws Exception {
        try (TestStore on = TestStore.ticking(Engine.SQLITE);
                Connection connection = filled(on);
                Statement statement = connection.createStatement()) {
            for (String name : new String[] {"list", "count"}) {
                assertNothingIsScanned(statement, text(lane, name));
            }
        }
    }

    private static Connection filled(TestStore on) throws SQLException {
        Connection connection = DriverManager.getConnection(
                "jdbc:sqlite:" + Objects.requireNonNull(on.folder()).resolve("holdfast.db"));
        try (Statement statement = connection.createStatement()) {
            String many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + DONE + ") ";
            statement.execute(many + "INSERT INTO resources (key, kind, queue, state, generation)"
                    + " SELECT 'work:d' || i, 'work', 'q', 'done', 1 FROM n");
            statement.execute(
                    many + "INSERT INTO work_items (id, created_at, queue, title, type, priority, labels, status,"
                            + " waits_for, importing, updated_at, closed_at, children, last_call)"
                            + " SELECT 'd' || i, i, 'q', 't', 'task', 2, '[]', 'closed', 0, 0, i, i, 0, '' FROM n");
            statement.execute("ANALYZE");
        }
        return connection;
    }

    private static void assertNothingIsScanned(Statement statement, String sql) throws SQLException {
        try (ResultSet lines = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (lines.next()) {
                assertThat(lines.getString("detail"))
                        .as(sql)
                        .doesNotMatch("SCAN (r|i|resources|work_items)( USING.*INDEX sqlite_autoindex.*)?");
            }
        }
    }

    @Test
    void what_is_ready_held_or_left_is_found_without_reading_all_that_was_ever_done() throws Exception {
        try (TestStore on = TestStore.ticking(Engine.SQLITE);
                Connection connection = filled(on);
                Statement statement = connection.createStatement()) {
            Backlog backlog = new Backlog(on.store());
            List<String> statements = Statements.composedBy(Engine.SQLITE, () -> {
                backlog.ready(Filter.ANY, 50, null);
                backlog.ready(new Filter("q", Set.of()), 50, null);
                backlog.held();
                backlog.unheld(null);
                backlog.unheld("q", 5);
                backlog.list(new ItemFilter(null, Filter.ANY, null, null, "d1"), 50, null);
                backlog.list(ItemFilter.any(), true, 50, null);
                backlog.blocked("q", 50, null);
            });
            assertThat(statements).hasSizeGreaterThanOrEqualTo(6);
            statements.addAll(Statements.constants(Engine.SQLITE, Backlog.class));
            for (String sql : statements) {
                assertNothingIsScanned(statement, sql);
            }
        }
    }

    private static String text(Board.Lane lane, String name) throws ReflectiveOperationException {
        Field field = Board.Lane.class.getDeclaredField(name);
        field.setAccessible(true);
        Method text = Sql.class.getDeclaredMethod("text", Engine.class);
        text.setAccessible(true);
        return (String) text.invoke(field.get(lane), Engine.SQLITE);
    }
}
