package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.store.BusyException;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.CuttingProxy;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.Relay;
import dev.holdfast.testing.TestPooler;
import dev.holdfast.testing.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A change is run again when its connection broke, but PostgreSQL might still carry out the first request: because it
 * was still on its way, or because it was waiting for a lock when the client went away. Once the caller was answered,
 * that must not happen.
 */
@Timeout(60)
class LateRunsTest {
    private static final String SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND pid <> pg_backend_pid() AND application_name = 'holdfast'";
    private static final String WAITING = SESSIONS + " AND wait_event_type = 'Lock' AND wait_event = 'advisory'";
    private static final String TAKEN = "SELECT count(*) FROM jobs WHERE owner IS NOT NULL";

    private final String database = TestPostgres.freshDatabase();
    private final Resource key = Resource.key("late");
    private final CountDownLatch answered = new CountDownLatch(1);

    /** Whoever takes a job skips one that somebody else is just taking. */
    @BeforeEach
    void jobs() {
        TestPostgres.execute(database, "CREATE TABLE jobs (id int, owner text)");
        TestPostgres.execute(database, "INSERT INTO jobs VALUES (1), (2), (3)");
    }

    private static int takeJob(PostgresStore store) {
        return store.write(transaction -> transaction
                .first(Sql.of("""
                                UPDATE jobs SET owner = 'ann' WHERE id = (
                                    SELECT id FROM jobs WHERE owner IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                                RETURNING id
                                """), _ -> {}, row -> Math.toIntExact(row.number("id")))
                .orElseThrow());
    }

    /** Makes the resource exist, claimed once and released. */
    private void claimAndRelease(Claims claims, String holder) {
        assertThat(claims.claim(ClaimRequest.of(key, holder)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Granted.class,
                        granted -> assertThat(claims.end(key, granted.claim().fence(), Ending.released(null)))
                                .isInstanceOf(EndOutcome.Ended.class));
    }

    private void assertNothingCameLate() {
        try (PostgresStore store = PostgresStore.open(database);
                Claims claims = Claims.over(store)) {
            assertThat(claims.held(Kind.KEY, null, null)).isEmpty();
            assertThat(StoreClaims.events(store).stream().map(Subject.DomainEvent::type))
                    .containsExactly("claimed", "released", "claimed", "released");
        }
    }

    @Test
    void a_combined_statement_that_arrives_after_its_second_run_was_answered_changes_nothing() {
        try (CuttingProxy proxy = new CuttingProxy(port(database))) {
            try (PostgresStore store = PostgresStore.open(through(proxy.port()));
                    Claims claims = Claims.over(store)) {
                claimAndRelease(claims, "zoe");
                proxy.cutBeforeRequestWith("key:late", this::awaitAnswer);
                claimAndRelease(claims, "ann");
                assertThat(proxy.cuts()).isEqualTo(1);
            }
            answered.countDown();
            awaitNumber(SESSIONS, 0);
        }
        assertNothingCameLate();
    }

    @Test
    void a_combined_statement_that_waited_for_a_lock_when_its_client_went_changes_nothing() throws Exception {
        try (Relay relay = new Relay(port(database));
                Connection lock = TestPostgres.connect(database)) {
            try (PostgresStore store = PostgresStore.open(through(relay.port()));
                    Claims claims = Claims.over(store)) {
                claimAndRelease(claims, "zoe");
                firstRunWaits("current_query() LIKE 'WITH locked%'", "TRIGGER", "BEFORE UPDATE ON resources");
                hold(lock);
                CompletableFuture<Void> change = CompletableFuture.runAsync(() -> claimAndRelease(claims, "ann"));
                awaitNumber(WAITING, 1);
                relay.cut();
                change.join();
            }
            giveUp(lock);
            awaitNumber(SESSIONS, 0);
        }
        assertNothingCameLate();
    }

    /** The first run's commit arrives only after the second one was answered. */
    private void takeJobTwice(PostgresStore store, CuttingProxy proxy) {
        proxy.cutBeforeRequestAfter("UPDATE jobs", this::awaitAnswer);
        takeJob(store);
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    private CompletableFuture<Integer> commitThatWaits(PostgresStore store, Connection lock) throws Exception {
        firstCommitWaits();
        hold(lock);
        CompletableFuture<Integer> change = CompletableFuture.supplyAsync(() -> takeJob(store));
        awaitNumber(WAITING, 1);
        return change;
    }

    @Test
    void a_commit_that_arrives_after_its_second_run_was_answered_changes_nothing() {
        try (CuttingProxy proxy = new CuttingProxy(port(database))) {
            try (PostgresStore store = PostgresStore.open(through(proxy.port()))) {
                takeJobTwice(store, proxy);
            }
            answered.countDown();
            awaitNumber(SESSIONS, 0);
        }
        assertThat(number(TAKEN)).isEqualTo(1);
    }

    @Test
    void a_commit_that_waited_for_a_lock_when_its_client_went_changes_nothing() throws Exception {
        try (Relay relay = new Relay(port(database));
                Connection lock = TestPostgres.connect(database)) {
            try (PostgresStore store = PostgresStore.open(through(relay.port()))) {
                CompletableFuture<Integer> change = commitThatWaits(store, lock);
                relay.cut();
                change.join();
            }
            giveUp(lock);
            awaitNumber(SESSIONS, 0);
        }
        assertThat(number(TAKEN)).isEqualTo(1);
    }

    @Test
    void a_commit_that_arrives_late_through_a_pooler_that_shares_sessions_changes_nothing() throws Exception {
        Programs.assumeInstalled("pgbouncer", "Debian's package pgbouncer");
        try (TestPooler pooler = new TestPooler(
                        database, "pool_mode = transaction", "ignore_startup_parameters = extra_float_digits");
                CuttingProxy proxy = new CuttingProxy(port(pooler.address()))) {
            try (PostgresStore store = PostgresStore.openPooled(through(proxy.port()), database, 4)) {
                takeJobTwice(store, proxy);
            }
            answered.countDown();
            awaitNumber(SESSIONS + " AND state <> 'idle'", 0);
        }
        assertThat(number(TAKEN)).isEqualTo(1);
    }

    @Test
    void while_the_session_of_the_first_run_cannot_be_ended_there_is_no_second_one_but_busy() throws Exception {
        try (Relay relay = new Relay(port(database));
                Connection lock = TestPostgres.connect(database)) {
            try (PostgresStore store = PostgresStore.open(through(relay.port()))) {
                CompletableFuture<Integer> change = commitThatWaits(store, lock);
                long session = number(WAITING.replace("count(*)", "pid"));
                signal("STOP", session);
                try {
                    relay.cut();
                    assertThatThrownBy(change::join)
                            .isInstanceOf(CompletionException.class)
                            .hasCauseInstanceOf(BusyException.class);
                    assertThat(number(TAKEN)).isZero();
                } finally {
                    signal("CONT", session);
                }
            }
            awaitNumber(SESSIONS, 0);
        }
        assertThat(number(TAKEN)).isZero();
    }

    /** What was committed here but not on the standby would be answered as done, and be gone after a failover. */
    @Test
    void what_the_first_run_did_is_not_answered_before_the_synchronous_standby_has_it() throws Exception {
        try (EmbeddedPostgres server = TestPostgres.ownServer()) {
            String own = server.getJdbcUrl("postgres", "postgres");
            try (Relay relay = new Relay(port(own));
                    PostgresStore store = PostgresStore.open(own.replace(":" + port(own), ":" + relay.port()))) {
                TestPostgres.execute(own, "CREATE TABLE made (id int PRIMARY KEY)");
                TestPostgres.execute(own, "ALTER SYSTEM SET synchronous_standby_names = 'one_that_is_away'");
                TestPostgres.execute(own, "SELECT pg_reload_conf()");
                awaitThatCommitsWait(own);
                CompletableFuture<Integer> making = CompletableFuture.supplyAsync(() -> store.write(transaction ->
                        transaction.update(Sql.of("INSERT INTO made VALUES (1) ON CONFLICT DO NOTHING"), _ -> {})));
                long first = awaitCommitOtherThan(own, 0);
                relay.cut();
                awaitCommitOtherThan(own, first);
                assertThat(making).isNotDone();
                TestPostgres.execute(own, "ALTER SYSTEM RESET synchronous_standby_names");
                TestPostgres.execute(own, "SELECT pg_reload_conf()");
                assertThat(making.join()).as("made by the first run").isZero();
            }
        }
    }

    /** A server that was told to reload its settings uses the old ones until its checkpointer has read the new ones. */
    private static void awaitThatCommitsWait(String database) {
        await().until(() -> {
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> TestPostgres.execute(
                    database, "SET synchronous_commit = on; SELECT pg_logical_emit_message(true, 'test', '')"));
            await().until(() -> commit.isDone() || waitingCommit(database, 0) > 0);
            return !commit.isDone();
        });
        TestPostgres.execute(
                database, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        await().until(() -> waitingCommit(database, 0) == 0);
    }

    private static long awaitCommitOtherThan(String database, long process) {
        return await().until(() -> waitingCommit(database, process), found -> found > 0);
    }

    /** The process, other than this one, whose commit waits for the standby; 0 if there is none. */
    private static long waitingCommit(String database, long process) {
        return number(
                database,
                "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> "
                        + process);
    }

    private void firstCommitWaits() {
        firstRunWaits("true", "CONSTRAINT TRIGGER", "AFTER UPDATE ON jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW");
    }

    /** Later runs do not wait. */
    private void firstRunWaits(String which, String kind, String when) {
        TestPostgres.execute(database, "CREATE SEQUENCE runs");
        TestPostgres.execute(database, """
                CREATE FUNCTION first_run_waits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF %s AND nextval('runs') = 1 THEN PERFORM pg_advisory_xact_lock(1); END IF;
                    RETURN NULL;
                END $$
                """.formatted(which));
        TestPostgres.execute(database, "CREATE " + kind + " waits " + when + " EXECUTE FUNCTION first_run_waits()");
    }

    private static void hold(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(1)");
        }
    }

    private static void giveUp(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock(1)");
        }
    }

    private static void signal(String name, long process) throws Exception {
        assertThat(new ProcessBuilder(List.of("kill", "-" + name, Long.toString(process)))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private void awaitAnswer() {
        try {
            answered.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitNumber(String query, long expected) {
        await().atMost(Duration.ofSeconds(30)).until(() -> number(query) == expected);
    }

    private long number(String query) {
        return number(database, query);
    }

    private static long number(String database, String query) {
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int port(String address) {
        return URI.create(address.substring("jdbc:".length())).getPort();
    }

    private String through(int port) {
        return database.replace(":" + port(database), ":" + port);
    }
}
