package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestPooler;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real PgBouncer that gives each transaction whichever of three sessions is free. */
@Timeout(120)
class PooledStoreTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String database = TestPostgres.freshDatabase();
    private final Resource key = Resource.key("deploy");
    private TestPooler pooler;

    @BeforeAll
    static void program() {
        Programs.assumeInstalled("pgbouncer", "Debian's package pgbouncer");
    }

    @BeforeEach
    void start() throws IOException {
        pooler = new TestPooler(
                database,
                "pool_mode = transaction",
                "default_pool_size = 3",
                "server_round_robin = 1",
                "ignore_startup_parameters = extra_float_digits");
    }

    @AfterEach
    void stop() {
        pooler.close();
    }

    private PostgresStore open() {
        return PostgresStore.openPooled(pooler.address(), database, 6);
    }

    @Test
    void two_brokers_whose_transactions_share_three_sessions_keep_every_promise_about_claims() {
        try (PostgresStore here = open();
                PostgresStore there = open()) {
            CompletableFuture<List<Call>> first = CompletableFuture.supplyAsync(
                    () -> HistoryWorkload.of("here", 16, 25, 3).run(here));
            List<Call> calls =
                    new ArrayList<>(HistoryWorkload.of("there", 16, 25, 4).run(there));
            calls.addAll(first.join());
            assertThat(HistoryCheck.broken(calls, StoreClaims.events(here))).isEmpty();
            assertThat(calls.stream().filter(call -> !call.unknown()).count()).isGreaterThan(800);
        }
    }

    @Test
    void whoever_waits_at_one_broker_is_woken_by_a_release_at_another() {
        try (PostgresStore hereStore = open();
                PostgresStore thereStore = open();
                Claims here = Claims.over(hereStore);
                Claims there = Claims.over(thereStore)) {
            Claim first = ((Granted) there.claim(ClaimRequest.of(key, "first"))).claim();
            CompletableFuture<ClaimOutcome> second = CompletableFuture.supplyAsync(
                    () -> here.claim(ClaimRequest.of(key, "second").waiting(LONG)));
            await().until(() -> here.waiting(key) == 1);
            there.release(first, "over to you");
            assertThat(second.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(Granted.class);
        }
    }

    /** Its connection to the pooler stays open while the server behind the pooler is replaced. */
    @Test
    void a_failover_behind_the_pooler_is_noticed_by_the_next_transaction_on_a_connection_that_stayed() {
        try (PostgresStore store = open();
                Claims claims = Claims.over(store)) {
            Claim before = ((Granted) claims.claim(ClaimRequest.of(key, "ann"))).claim();
            TestPostgres.execute(database, "UPDATE known_server SET server = 'another, of which this is a copy'");
            assertThat(((Granted) claims.claim(ClaimRequest.of(Resource.key("other"), "bob")))
                            .claim()
                            .generation())
                    .isGreaterThan(1_000_000);
            assertThat(claims.heartbeat(key, Fence.of("ann", before.generation())))
                    .isInstanceOf(Refusal.Lost.class);
        }
    }

    @Test
    void transactions_have_their_settings_whatever_the_defaults_are_and_leave_nothing_behind() throws Exception {
        String name = database.replaceAll(".*/|\\?.*", "");
        for (String worse : List.of(
                "default_transaction_isolation = 'serializable'",
                "default_transaction_read_only = on",
                "synchronous_commit = off",
                "statement_timeout = 0",
                "lock_timeout = 0")) {
            TestPostgres.execute(database.replace("/" + name, "/postgres"), "ALTER DATABASE " + name + " SET " + worse);
        }
        try (PostgresStore store = open();
                Claims claims = Claims.over(store)) {
            assertThat(claims.claim(ClaimRequest.of(key, "ann"))).isInstanceOf(Granted.class);
            List<String> settings = store.write(tx -> tx.list(
                    Sql.of("SELECT current_setting('transaction_isolation') || ',' ||"
                            + " current_setting('synchronous_commit') || ',' || current_setting('statement_timeout')"
                            + " || ',' || current_setting('lock_timeout')"
                            + " || ',' || current_setting('enable_seqscan') AS settings"),
                    _ -> {},
                    row -> row.text("settings")));
            assertThat(settings).containsExactly("read committed,on,8s,2s,off");
        }
        for (int i = 0; i < 3; i++) { // round robin: once per session
            assertThat(left()).isEqualTo("off 0 on 0");
        }
    }

    /** The state in which another client of the same pooler finds its session. */
    private String left() throws SQLException {
        try (Connection connection = TestPostgres.connect(pooler.address() + "&prepareThreshold=0");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('synchronous_commit') || ' ' ||"
                        + " current_setting('lock_timeout') || ' ' || current_setting('enable_seqscan') || ' ' ||"
                        + " (SELECT count(*) FROM pg_prepared_statements)")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void a_direct_address_of_another_database_is_refused() {
        String other = TestPostgres.freshDatabase();
        assertThatThrownBy(() -> PostgresStore.openPooled(pooler.address(), other, 6))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("store.direct_database must name the same one");
    }
}
