package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What whoever calls the functions by themselves may do to them. */
class SqlFinalizationTest extends OnAStore {
    SqlFinalizationTest() {
        super(Engine.POSTGRES);
    }

    private Connection connect() {
        return TestPostgres.connect(Objects.requireNonNull(store.address()));
    }

    private static String row(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            ResultSetMetaData columns = row.getMetaData();
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                values.add(String.valueOf(row.getString(i)));
            }
            assertThat(row.next()).isFalse();
            return String.join("|", values);
        }
    }

    private String due() {
        return due(tasks);
    }

    private static String due(Tasks tasks) {
        Task task = tasks.create(NewTask.of("one", NewStep.of("only")).finalizer(Finalizer.EXTERNAL));
        Steps.ClaimedStep given =
                tasks.steps().claimNext("a", null, null, null, Duration.ZERO).orElseThrow();
        tasks.steps().complete(given.step().id(), given.claim().fence(), null);
        return task.id();
    }

    @Test
    void nothing_given_is_answered_like_nothing_known() throws SQLException {
        String task = due();
        try (Connection connection = connect()) {
            assertThat(row(connection, "SELECT * FROM claim_task_for_finalization(NULL, 'p')"))
                    .isEqualTo("f|null|not_found|Task not found|null|null|not_found");
            assertThat(row(connection, "SELECT release_finalization_claim(NULL, 'p')"))
                    .isEqualTo("f");
            assertThat(row(connection, "SELECT release_finalization_claim('" + task + "', NULL)"))
                    .isEqualTo("f");
            assertThat(row(connection, "SELECT finished, message FROM finish_task(NULL, 'p', 1)"))
                    .isEqualTo("f|Task not found");
            assertThat(row(connection, "SELECT message FROM claim_task_for_finalization('" + task + "', 'p', NULL)"))
                    .isEqualTo("Successfully claimed for finalization");
            assertThat(row(connection, "SELECT finished, message FROM finish_task('" + task + "', 'p', NULL)"))
                    .isEqualTo("f|Claim lost to p");
            assertThat(row(connection, "SELECT finished, message FROM finish_task('" + task + "', NULL, 1)"))
                    .isEqualTo("f|Claim lost to p");
            assertThat(
                            row(
                                    connection,
                                    "SELECT extract(epoch FROM expires_at - acquired_at)::int FROM resources WHERE holder = 'p'"))
                    .isEqualTo("30");
        }
    }

    @Test
    void a_driver_may_bind_a_uuid() throws SQLException {
        UUID task;
        try (Tasks named =
                new Tasks(store.store(), claims, () -> UUID.randomUUID().toString(), _ -> {})) {
            task = UUID.fromString(due(named));
        }
        try (Connection connection = connect();
                PreparedStatement claim =
                        connection.prepareStatement("SELECT * FROM claim_task_for_finalization(?, ?, ?)");
                PreparedStatement release = connection.prepareStatement("SELECT release_finalization_claim(?, ?)")) {
            claim.setObject(1, task);
            claim.setString(2, "p");
            claim.setInt(3, 30);
            try (ResultSet row = claim.executeQuery()) {
                assertThat(row.next()).isTrue();
                assertThat(row.getBoolean("claimed")).isTrue();
                assertThat(row.getString("message")).isEqualTo("Successfully claimed for finalization");
            }
            release.setObject(1, task);
            release.setString(2, "p");
            try (ResultSet row = release.executeQuery()) {
                assertThat(row.next() && row.getBoolean(1)).isTrue();
            }
        }
    }

    @Test
    void silly_arguments_are_invalid_and_change_nothing() throws SQLException {
        String task = due();
        try (Connection connection = connect()) {
            for (String arguments :
                    List.of("'p', 0", "'p', -1", "'p', 86401", "NULL", "''", "'unknown'", "repeat('p', 201)")) {
                assertThatThrownBy(() -> row(
                                connection,
                                "SELECT * FROM claim_task_for_finalization('" + task + "', " + arguments + ")"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("22023"));
            }
            assertThatThrownBy(() ->
                            row(connection, "SELECT * FROM finish_task('" + task + "', 'p', 1, NULL, 'half done')"))
                    .hasMessageContaining("complete or failed");
            assertThat(row(connection, "SELECT count(*) FROM finalization_attempts"))
                    .isEqualTo("0");
        }
    }

    @Test
    void whoever_would_judge_by_an_old_snapshot_is_told_so() throws SQLException {
        String task = due();
        try (Connection connection = connect()) {
            for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
                connection.setTransactionIsolation(isolation);
                for (String call : List.of(
                        "claim_task_for_finalization('%s', 'p')",
                        "release_finalization_claim('%s', 'p')", "finish_task('%s', 'p', 1)")) {
                    assertThatThrownBy(() -> row(connection, "SELECT * FROM " + call.replace("%s", task)))
                            .hasMessageContaining("READ COMMITTED");
                }
            }
        }
    }

    @Test
    void time_zones_of_sessions_do_not_matter() throws SQLException {
        String task = due();
        try (Connection west = connect();
                Connection east = connect()) {
            west.createStatement().execute("SET TIME ZONE 'America/New_York'");
            east.createStatement().execute("SET TIME ZONE 'Asia/Tokyo'");
            assertThat(row(west, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'west')"))
                    .isEqualTo("t");
            assertThat(row(east, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'east')"))
                    .isEqualTo("f");
            store.settableClock().advance(Duration.ofSeconds(30));
            assertThat(row(east, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'east')"))
                    .isEqualTo("t");
            assertThat(row(west, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'west')"))
                    .isEqualTo("f");
        }
    }

    @Test
    void who_waited_for_the_row_is_told_what_is_true_then_and_has_its_whole_time() throws Exception {
        String task = due();
        try (Connection first = connect();
                Connection second = connect()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            row(second, "SELECT now()"); // its transaction is as old as what it would see
            row(first, "SELECT * FROM claim_task_for_finalization('" + task + "', 'first', 10)");
            CompletableFuture<String> waiting = inAnotherThread(
                    second,
                    "SELECT claimed, already_claimed_by FROM claim_task_for_finalization('" + task + "', 'second')");
            first.commit();
            assertThat(waiting.join()).isEqualTo("f|first");
            second.commit();

            row(first, "SELECT * FROM resources WHERE key = 'finalization:" + task + "' FOR UPDATE");
            waiting = inAnotherThread(
                    second, "SELECT message FROM claim_task_for_finalization('" + task + "', 'second', 30)");
            store.settableClock().advance(Duration.ofSeconds(20)); // meanwhile the first one's claim has run out
            first.commit();
            assertThat(waiting.join()).isEqualTo("Successfully claimed for finalization");
            second.commit();
            assertThat(row(
                            first,
                            "SELECT holder, (expires_at - lease_clock())::text FROM resources WHERE key = 'finalization:"
                                    + task + "'"))
                    .isEqualTo("second|00:00:30");
            first.commit();

            row(second, "SELECT * FROM finish_task('" + task + "', 'second', 2)");
            waiting =
                    inAnotherThread(first, "SELECT message FROM claim_task_for_finalization('" + task + "', 'first')");
            second.commit();
            assertThat(waiting.join()).isEqualTo("Task already complete");
            first.commit();
        }
    }

    @Test
    void who_would_wait_too_long_for_the_row_is_told_of_a_race_and_changes_nothing() throws SQLException {
        String task = due();
        try (Connection first = connect();
                Connection second = connect()) {
            first.setAutoCommit(false);
            row(first, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'first')");
            second.createStatement().execute("SET lock_timeout = '100ms'");
            assertThat(row(second, "SELECT * FROM claim_task_for_finalization('" + task + "', 'second')"))
                    .isEqualTo("f|null|all_complete|Failed to claim - race condition|null|2|race_condition");
            first.commit();
            assertThat(row(
                            second,
                            "SELECT already_claimed_by FROM claim_task_for_finalization('" + task + "', 'second')"))
                    .isEqualTo("first");
        }
    }

    @Test
    void a_claim_that_is_rolled_back_was_never_made() throws SQLException {
        String task = due();
        try (Connection first = connect();
                Connection second = connect()) {
            first.setAutoCommit(false);
            assertThat(row(first, "SELECT claimed FROM claim_task_for_finalization('" + task + "', 'first')"))
                    .isEqualTo("t");
            first.rollback();
            assertThat(row(
                            second,
                            "SELECT claimed, claim_generation FROM claim_task_for_finalization('" + task
                                    + "', 'second')"))
                    .isEqualTo("t|1");
            assertThat(row(second, "SELECT string_agg(processor_id, ',') FROM finalization_attempts"))
                    .isEqualTo("second");
        }
    }

    /** Returns when the call waits for a lock. */
    private CompletableFuture<String> inAnotherThread(Connection connection, String call) throws SQLException {
        String pid = row(connection, "SELECT pg_backend_pid()");
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return row(connection, call);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try (Connection looking = connect()) {
            await().until(() -> row(
                            looking,
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " + pid)
                    .equals("1"));
        }
        return answer;
    }
}
