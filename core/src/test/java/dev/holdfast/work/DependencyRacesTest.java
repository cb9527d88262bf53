package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.work.beads.Beads;
import dev.holdfast.work.beads.BeadsReport;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Dependencies that come and go while what they name changes, on PostgreSQL, where two transactions run at once: each is
 * stopped by a lock of the test where the other could be overlooked.
 */
@Timeout(60)
class DependencyRacesTest {
    private final String database = TestPostgres.freshDatabase();
    private final PostgresStore store = PostgresStore.open(database);
    private final Claims claims = Claims.over(store);
    private final WorkItems work = WorkItems.over(store, claims);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        threads.close();
        claims.close();
        store.close();
    }

    private void create(String id) {
        work.making().create(NewWork.titled(id).id(id));
    }

    private void finish(String id) {
        work.closing().close(id, new Fence("ann", null), null, null);
    }

    private static String line(String id, String dependsOn) {
        return """
                {"id": "%s", "title": "t", "status": "open", "priority": 2, "issue_type": "task", \
                "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", \
                "dependencies": [{"issue_id": "%s", "depends_on_id": "%s", "type": "blocks"}]}""".formatted(id, id, dependsOn);
    }

    /** A transaction of the test, which keeps others waiting until it ends. */
    private final class GateRefusal implements AutoCloseable {
        private final Connection connection = TestPostgres.connect(database);

        GateRefusal(String... statements) throws SQLException {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                run(sql);
            }
        }

        void run(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.commit();
            connection.close();
        }
    }

    private void awaitWaiting(int transactions, CompletableFuture<?> orDone) {
        await().until(() -> orDone.isDone() || waiting() >= transactions);
    }

    private long waiting() throws SQLException {
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND wait_event_type = 'Lock'")) {
            found.next();
            return found.getLong(1);
        }
    }

    @Test
    void an_import_does_not_overlook_that_what_an_item_depends_on_is_just_being_closed() throws Exception {
        create("first");
        CompletableFuture<BeadsReport> taken;
        CompletableFuture<Void> closed;
        try (GateRefusal _ = new GateRefusal("LOCK TABLE work_dependencies IN SHARE MODE")) {
            taken = CompletableFuture.supplyAsync(
                    () -> Beads.of(work).importing().take(List.of(line("later", "first")), "", false, _ -> true),
                    threads);
            awaitWaiting(1, taken); // it has looked at the first, and is about to write that the later one waits for it
            closed = CompletableFuture.runAsync(() -> finish("first"), threads);
            awaitWaiting(2, closed);
        }
        taken.join();
        closed.join();
        assertThat(claims.claimNext(NextRequest.of(Kind.WORK, "ann")))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Granted.class,
                        granted -> assertThat(granted.claim().resource().id()).isEqualTo("later"));
    }

    @Test
    void an_import_does_not_overlook_that_what_an_item_depends_on_is_just_being_made() throws Exception {
        CompletableFuture<BeadsReport> taken;
        CompletableFuture<Void> made;
        try (GateRefusal _ = new GateRefusal("LOCK TABLE work_dependencies IN SHARE MODE")) {
            taken = CompletableFuture.supplyAsync(
                    () -> Beads.of(work).importing().take(List.of(line("later", "first")), "", false, _ -> true),
                    threads);
            awaitWaiting(1, taken);
            made = CompletableFuture.runAsync(() -> create("first"), threads);
            awaitWaiting(2, made);
        }
        taken.join();
        made.join();
        assertThat(claims.claim(ClaimRequest.of(WorkItem.resource("later"), "ann")))
                .isInstanceOf(Refusal.NotClaimable.class);
    }

    @Test
    void a_dependency_that_is_taken_away_while_what_it_names_is_closed_is_counted_once() throws Exception {
        create("first");
        create("second");
        work.making().create(NewWork.titled("later").id("later").dependsOn(Set.of("first", "second")));
        CompletableFuture<Void> closed;
        try (GateRefusal removing = new GateRefusal(
                "SELECT 1 FROM resources WHERE key = 'work:later' FOR UPDATE",
                "DELETE FROM work_dependencies WHERE item = 'later' AND depends_on = 'first'")) {
            removing.run("UPDATE work_items SET waits_for = waits_for - 1 WHERE id = 'later'");
            closed = CompletableFuture.runAsync(() -> finish("first"), threads);
            awaitWaiting(1, closed);
        }
        closed.join();
        assertThat(claims.claim(ClaimRequest.of(WorkItem.resource("later"), "ann")))
                .as("the second is still to be done")
                .isInstanceOf(Refusal.NotClaimable.class);
        finish("second");
        assertThat(claims.claim(ClaimRequest.of(WorkItem.resource("later"), "ann")))
                .isInstanceOf(ClaimOutcome.Granted.class);
    }
}
