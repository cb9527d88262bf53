package dev.holdfast.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.store.StoreException;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups that somebody has prepared for whoever restores them. */
class HostileBackupTest {
    private static final RestoreOptions KEEP = new RestoreOptions(false, false, Instant.EPOCH);

    /** A reviewer of the pool whose token they know, kept alive by a broker on this machine with any process as its own. */
    private static final String REVIEWER = """
            INSERT INTO reviewers (id, display_name, session_token, broker, machine, broker_pid, broker_started, workspace,
                token_hash, state, pid, started, spawned_at, last_active_at)
            VALUES ('rules-r1-00000000', 'r1', '00000000', 'broker-theirs', 'here', 1, 0, '/', 'known to them', 'active', 1, 0,
                %1$s, %1$s)
            """;

    @TempDir
    private Path folder;

    private Path sqlite(String... tampering) throws IOException, SQLException {
        Path copy = Files.createFile(folder.resolve("copy.db"));
        SqliteBackup.write(TestSqlite.in(folder.resolve("data")), copy);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
                Statement statement = connection.createStatement()) {
            for (String sql : tampering) {
                statement.execute(sql);
            }
        }
        return copy;
    }

    /** A backup of a store in which this was done before. */
    private Path postgresAfter(String sql) {
        String database = TestPostgres.freshDatabase();
        TestPostgres.execute(database, sql);
        return written(database);
    }

    private Path written(String database) {
        Path copy = folder.resolve("copy.zip");
        PostgresBackup.write(database, copy);
        return copy;
    }

    private Path postgres(UnaryOperator<String> tampering) throws IOException {
        Path copy = written(TestPostgres.freshDatabase());
        try (FileSystem archive = FileSystems.newFileSystem(copy)) {
            Path contents = archive.getPath("holdfast.json");
            Files.writeString(contents, tampering.apply(Files.readString(contents)));
        }
        return copy;
    }

    private static String only(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getString(1);
        }
    }

    @Test
    void a_reviewer_in_a_sqlite_backup_is_not_let_in_and_no_process_is_taken_for_it() throws Exception {
        Path copy = sqlite(REVIEWER.formatted("0"));
        Path restored = folder.resolve("restored");
        SqliteBackup.read(copy, restored, KEEP);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + restored.resolve("holdfast.db"))) {
            assertThat(only(connection, "SELECT state || coalesce(token_hash, '') FROM reviewers"))
                    .isEqualTo("terminated");
        }
    }

    @Test
    void a_reviewer_in_a_postgresql_backup_is_not_let_in_and_no_process_is_taken_for_it() throws Exception {
        Path copy = postgresAfter(REVIEWER.formatted("now()"));
        String restored = TestPostgres.emptyDatabase();
        PostgresBackup.read(copy, restored, KEEP);
        try (Connection connection = TestPostgres.connect(restored)) {
            assertThat(only(connection, "SELECT state || coalesce(token_hash, '') FROM reviewers"))
                    .isEqualTo("terminated");
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_view_that_never_ends_is_not_asked_for_the_version() throws Exception {
        Path copy = sqlite("DROP TABLE schema_history", """
                CREATE VIEW schema_history AS WITH RECURSIVE n(version) AS (SELECT 1 UNION ALL SELECT version FROM n)
                SELECT version, 1 AS success FROM n""");
        assertThatThrownBy(() -> SqliteBackup.read(copy, folder.resolve("restored"), KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is not a backup");
    }

    @Test
    void generations_that_could_not_grow_any_more_are_refused() throws Exception {
        Path copy = sqlite("UPDATE generation_floor SET generation = 9223372036854775807");
        Path restored = folder.resolve("restored");
        assertThatThrownBy(() -> SqliteBackup.read(copy, restored, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("tampered");
        assertThat(restored.resolve("holdfast.db")).doesNotExist();
    }

    @Test
    void a_counter_of_another_schema_is_left_alone() throws Exception {
        Path copy =
                postgres(contents -> contents.replace("\"counters\":{", "\"counters\":{\"public.other.counter\":42,"));
        String database = TestPostgres.emptyDatabase();
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA other");
            statement.execute("CREATE SEQUENCE other.counter");
            assertThatThrownBy(() -> PostgresBackup.read(copy, database, KEEP))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("a counter that no store has");
            assertThat(only(connection, "SELECT last_value FROM other.counter")).isEqualTo("1");
            assertThat(only(connection, "SELECT to_regclass('tokens')")).isNull();
        }
    }

    @Test
    void contents_that_fill_the_memory_are_not_read() throws Exception {
        Path copy = postgres(contents -> " ".repeat(2 << 20) + contents);
        assertThatThrownBy(() -> PostgresBackup.read(copy, TestPostgres.emptyDatabase(), KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is not a backup");
    }

    @Test
    void parts_that_no_backup_has_are_not_unpacked() throws Exception {
        Path copy = postgres(UnaryOperator.identity());
        try (FileSystem archive = FileSystems.newFileSystem(copy)) {
            Files.writeString(archive.getPath("tables/planted"), "x");
            Files.move(archive.getPath("end"), archive.getPath("last"));
            Files.move(archive.getPath("last"), archive.getPath("end"));
        }
        assertThatThrownBy(() -> PostgresBackup.read(copy, TestPostgres.emptyDatabase(), KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("a part that no store has");
    }

    @Test
    void a_postgresql_backup_that_lacks_a_table_is_refused() throws Exception {
        Path copy = postgres(contents -> contents.replaceFirst("\"known_server\":\\[[^]]*],", ""));
        try (FileSystem archive = FileSystems.newFileSystem(copy)) {
            Files.delete(archive.getPath("tables/known_server"));
        }
        String database = TestPostgres.emptyDatabase();
        assertThatThrownBy(() -> PostgresBackup.read(copy, database, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it lacks known_server");
        try (Connection connection = TestPostgres.connect(database)) {
            assertThat(only(connection, "SELECT to_regclass('tokens')")).isNull();
        }
    }

    /** Ids that are in it would be given again. */
    @Test
    void a_postgresql_backup_that_lacks_a_counter_is_refused() throws Exception {
        Path copy = postgres(contents -> contents.replaceFirst("\"[a-z_.]*events_id_seq\":\\d+,?", ""));
        String database = TestPostgres.emptyDatabase();
        assertThatThrownBy(() -> PostgresBackup.read(copy, database, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it lacks the counter events_id_seq");
        try (Connection connection = TestPostgres.connect(database)) {
            assertThat(only(connection, "SELECT to_regclass('tokens')")).isNull();
        }
    }

    @Test
    void a_postgresql_backup_without_any_counters_is_refused() throws Exception {
        Path copy = postgres(contents -> contents.replaceFirst(",\"counters\":\\{[^}]*}", ""));
        assertThatThrownBy(() -> PostgresBackup.read(copy, TestPostgres.emptyDatabase(), KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it lacks the counter ");
    }

    @Test
    void a_postgresql_restore_fences_out_everybody_whatever_the_backup_says_about_its_server() throws Exception {
        Path copy = postgresAfter("UPDATE known_server SET server = NULL");
        String restored = TestPostgres.emptyDatabase();
        PostgresBackup.read(copy, restored, KEEP);
        try (Connection connection = TestPostgres.connect(restored)) {
            assertThat(only(connection, "SELECT least_generation FROM known_server"))
                    .isEqualTo("1000000");
        }
    }

    @Test
    void a_postgresql_backup_without_a_server_is_refused() throws Exception {
        Path copy = postgresAfter("DELETE FROM known_server");
        assertThatThrownBy(() -> PostgresBackup.read(copy, TestPostgres.emptyDatabase(), KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database was not changed");
    }

    @Test
    void ids_of_events_that_could_not_grow_any_more_leave_the_database_empty() throws Exception {
        Path copy =
                postgres(contents -> contents.replaceFirst("(\"[a-z.]*events_id_seq\":)\\d+", "$19223372036854775807"));
        String database = TestPostgres.emptyDatabase();
        assertThatThrownBy(() -> PostgresBackup.read(copy, database, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database was not changed");
        try (Connection connection = TestPostgres.connect(database)) {
            assertThat(only(connection, "SELECT to_regclass('tokens')")).isNull();
        }
    }

    @Test
    void a_sqlite_backup_without_a_lowest_generation_is_refused() throws Exception {
        Path copy = sqlite("DELETE FROM generation_floor");
        Path restored = folder.resolve("restored");
        assertThatThrownBy(() -> SqliteBackup.read(copy, restored, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("tampered");
        assertThat(restored.resolve("holdfast.db")).doesNotExist();
    }
}
