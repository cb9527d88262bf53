package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Brokers of the previous version work on while the first one of this version migrates their tables. */
class RollingMigrationTest {
    private static final String WAITING = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """;

    private final String database = TestPostgres.emptyDatabase();

    private PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(database);
        source.setOptions("-c lock_timeout=10s -c deadlock_timeout=3s"); // so that the broker is surely waiting by then
        return source;
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** What a broker's transaction has begun with decides what the migration waits for, and with what in its hands. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            29 | SELECT key FROM resources FOR UPDATE
            28 | SELECT count(*) FROM findings
            """)
    void a_change_that_is_half_done_is_finished_and_then_the_tables_are_migrated(int schema, String begun)
            throws Exception {
        Migrations.make(source(), Engine.POSTGRES, schema);
        CompletableFuture<Void> migrated;
        try (Connection broker = TestPostgres.connect(database);
                Statement statement = broker.createStatement();
                Connection other = TestPostgres.connect(database);
                Statement looks = other.createStatement()) {
            statement.execute("SET deadlock_timeout = '1min'"); // only the migration may notice
            broker.setAutoCommit(false);
            statement.execute(begun);
            migrated = CompletableFuture.runAsync(() -> {
                try {
                    Migrations.run(source(), Engine.POSTGRES);
                } catch (SQLException e) {
                    throw new StoreException("cannot migrate", e);
                }
            });
            await().atMost(Duration.ofSeconds(30)).until(() -> migrated.isDone() || number(looks, WAITING) > 0);
            statement.execute("UPDATE resources SET attempts = attempts WHERE false");
            broker.commit();
        }
        assertThat(migrated).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void a_store_that_is_made_anew_has_nothing_to_wait_for() throws Exception {
        Migrations.run(source(), Engine.POSTGRES);
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "SELECT max(version::int) FROM schema_history"))
                    .isEqualTo(Engine.POSTGRES.newestSchema);
        }
    }
}
