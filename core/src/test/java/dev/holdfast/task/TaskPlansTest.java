package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Statements;
import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Looking at tasks costs the same however many are over. On SQLite their age is the key of the table. */
class TaskPlansTest {
    private static final int FINISHED = 20_000;

    @Test
    void a_page_of_tasks_on_postgresql_does_not_walk_those_that_are_over() throws Exception {
        String database = TestPostgres.freshDatabase();
        List<String> lists = Statements.composedBy(Engine.POSTGRES, () -> look(database));
        String plainly = database + (database.contains("?") ? "&" : "?") + "preferQueryMode=simple";
        try (Connection connection = TestPostgres.connectAsBroker(plainly);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO tasks (id, name, policy, finalizer, request_hash, state, created_at, finished_at)"
                            + " SELECT 't' || i, 'build', 'all_succeeded', 'broker', 'h', 'complete', now(), now()"
                            + " FROM generate_series(1, " + FINISHED + ") AS i");
            statement.execute("INSERT INTO task_counters (task_id, succeeded) SELECT id, 1 FROM tasks");
            statement.execute("INSERT INTO resources (key, kind, state, generation)"
                    + " SELECT 'finalization:' || id, 'finalization', 'done', 1 FROM tasks");
            statement.execute("VACUUM ANALYZE");

            assertThat(lists)
                    .hasSizeGreaterThanOrEqualTo(4)
                    .allSatisfy(list -> assertThat(plan(statement, list))
                            .doesNotContain("Seq Scan on tasks", "Seq Scan on task_counters", "Sort Key"));
        }
    }

    private static void look(String database) {
        try (PostgresStore store = PostgresStore.open(database)) {
            store.read(transaction -> {
                for (long before : new long[] {Long.MAX_VALUE, 7}) {
                    TaskTable.list(transaction, null, null, before, 21);
                    TaskTable.list(transaction, TaskState.OPEN, null, before, 22);
                }
                return 0;
            });
        }
    }

    private static String plan(Statement statement, String sql) throws Exception {
        int[] number = {0};
        String numbered = Pattern.compile("\\?").matcher(sql).replaceAll(_ -> "\\$" + ++number[0]);
        StringBuilder plan = new StringBuilder();
        try (ResultSet lines = statement.executeQuery("EXPLAIN (GENERIC_PLAN) " + numbered)) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }
}
