package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Resource;
import dev.holdfast.testing.StartupProxy;
import dev.holdfast.testing.TestPostgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Promises rest on settings of the session: every session has them, whatever the server's defaults and for its whole life. */
@Timeout(60)
class PostgresSettingsTest {
    private static final int CONNECTIONS = 10;
    private static final String OURS = "read committed, off, on, 2s, 8s, 20s, off";
    private static final String SHOW = "concat_ws(', ', current_setting('transaction_isolation'),"
            + " current_setting('transaction_read_only'), current_setting('synchronous_commit'),"
            + " current_setting('lock_timeout'), current_setting('statement_timeout'),"
            + " current_setting('idle_in_transaction_session_timeout'), current_setting('enable_seqscan'))";

    private static final Sql SHOWN = Sql.of("SELECT pg_backend_pid() AS pid, " + SHOW + " AS shown");

    private record Session(long pid, String shown) {}

    /** By the database's defaults and by the role's, which count for more. */
    private static String withBadDefaults(String database) {
        TestPostgres.execute(database, """
                DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = ''serializable''', current_database());
                    EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
                    EXECUTE format('ALTER DATABASE %I SET lock_timeout = 0', current_database());
                    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET statement_timeout = 0', current_database());
                    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET synchronous_commit = local', current_database());
                    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET idle_in_transaction_session_timeout = 0',
                        current_database());
                    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET default_transaction_read_only = on',
                        current_database());
                END $$
                """);
        return database;
    }

    @Test
    void every_pooled_connection_has_its_settings_after_its_first_transaction_was_rolled_back() throws Exception {
        try (PostgresStore store = PostgresStore.open(withBadDefaults(TestPostgres.freshDatabase()), CONNECTIONS)) {
            Set<Long> refused = new HashSet<>();
            for (Session session : onAllConnections(store, true)) {
                refused.add(session.pid());
            }
            List<Session> after = onAllConnections(store, false);
            assertThat(after).extracting(Session::pid).containsExactlyInAnyOrderElementsOf(refused);
            assertThat(after).extracting(Session::shown).containsOnly(OURS);
        }
    }

    /** Uses all connections at the same time, each for one transaction. */
    private static List<Session> onAllConnections(PostgresStore store, boolean refused) throws Exception {
        CyclicBarrier all = new CyclicBarrier(CONNECTIONS);
        List<Session> seen = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Session>> running = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                running.add(threads.submit(() -> session(store, refused, all)));
            }
            for (Future<Session> one : running) {
                seen.add(one.get());
            }
        }
        assertThat(seen).extracting(Session::pid).doesNotHaveDuplicates();
        return seen;
    }

    private static Session session(PostgresStore store, boolean refused, CyclicBarrier all) {
        List<Session> seen = new ArrayList<>();
        try {
            return store.write(transaction -> {
                Session session = transaction
                        .first(SHOWN, _ -> {}, row -> new Session(row.number("pid"), row.text("shown")))
                        .orElseThrow();
                seen.add(session);
                meet(all);
                if (refused) {
                    throw new IllegalStateException("a refusal");
                }
                return session;
            });
        } catch (IllegalStateException _) {
            return seen.getLast();
        }
    }

    private static void meet(CyclicBarrier all) {
        try {
            all.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void every_session_that_writes_has_its_settings_through_refusals_and_killed_connections() throws Exception {
        String database = TestPostgres.freshDatabase();
        TestPostgres.execute(database, """
                CREATE TABLE written_with (pid int, settings text, planner text, PRIMARY KEY (pid, settings, planner));
                CREATE FUNCTION note_settings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    INSERT INTO written_with VALUES (pg_backend_pid(), %s, current_setting('plan_cache_mode'))
                    ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER note_settings AFTER INSERT OR UPDATE ON resources FOR EACH ROW EXECUTE FUNCTION note_settings();
                """.formatted(SHOW));
        withBadDefaults(database);
        try (PostgresStore store = PostgresStore.open(database);
                Claims claims = Claims.over(store)) {
            crowd(claims, "first");
            assertThatThrownBy(() -> store.write(transaction -> {
                        transaction.update(Sql.of("UPDATE resources SET attempts = 1"), _ -> {});
                        throw new IllegalStateException("a refusal");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            TestPostgres.execute(
                    database,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND application_name = 'holdfast'");
            crowd(claims, "second");
        }
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            List<String> settings =
                    column(statement, "SELECT DISTINCT settings FROM written_with WHERE planner = 'auto'");
            List<String> ofWriters =
                    column(statement, "SELECT settings FROM written_with WHERE planner = 'force_generic_plan'");
            assertThat(settings).containsOnly(OURS);
            assertThat(ofWriters)
                    .as("a writer before and one after; the second has not always something to do")
                    .hasSizeGreaterThanOrEqualTo(2)
                    .containsOnly(OURS);
        }
    }

    /** So many at once that both writers have something to do. */
    private static void crowd(Claims claims, String name) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                Resource resource = Resource.key(name + "-" + i);
                running.add(threads.submit(() -> {
                    claims.claim(ClaimRequest.of(resource, "ann"));
                    claims.end(resource, Fence.of("ann", 1), Ending.released(null));
                    claims.claim(ClaimRequest.of(resource, "bob"));
                    claims.claim(ClaimRequest.of(resource, "cleo"));
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static List<String> column(Statement statement, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    @Test
    void options_in_the_address_are_kept_except_where_a_promise_depends_on_ours() {
        String database = TestPostgres.freshDatabase();
        String options = "options=-c%20work_mem=7MB%20-c%20lock_timeout=0%20-c%20synchronous_commit%3Doff";
        try (PostgresStore store = PostgresStore.open(database + (database.contains("?") ? "&" : "?") + options)) {
            assertThat(shown(store, "work_mem")).isEqualTo("7MB");
            assertThat(shown(store, "lock_timeout")).isEqualTo("2s");
            assertThat(shown(store, "synchronous_commit")).isEqualTo("on");
        }
    }

    private static String shown(PostgresStore store, String setting) {
        return store.read(transaction -> transaction
                .first(Sql.of("SELECT current_setting('" + setting + "') AS value"), _ -> {}, row -> row.text("value"))
                .orElseThrow());
    }

    @Test
    void sessions_through_a_pooler_that_leaves_the_options_out_have_their_settings_all_the_same() throws Exception {
        String database = withBadDefaults(TestPostgres.freshDatabase());
        try (StartupProxy pooler = new StartupProxy(port(database), StartupProxy.Options.LEFT_OUT);
                PostgresStore store = PostgresStore.open(through(pooler, database), CONNECTIONS)) {
            onAllConnections(store, true);
            assertThat(onAllConnections(store, false))
                    .extracting(Session::shown)
                    .containsOnly(OURS);
        }
    }

    @Test
    void a_pooler_that_refuses_the_options_is_named_with_what_to_do() {
        String database = TestPostgres.freshDatabase();
        try (StartupProxy pooler = new StartupProxy(port(database), StartupProxy.Options.REFUSED)) {
            assertThatThrownBy(() -> PostgresStore.open(through(pooler, database)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("unsupported startup parameter: options")
                    .hasMessageContaining("PostgreSQL's own address")
                    .hasMessageContaining("pool_mode = session");
        }
    }

    private static String through(StartupProxy pooler, String database) {
        return database.replace(":" + port(database), ":" + pooler.port());
    }

    private static int port(String database) {
        return URI.create(database.substring("jdbc:".length())).getPort();
    }
}
