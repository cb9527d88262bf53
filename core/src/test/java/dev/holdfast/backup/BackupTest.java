package dev.holdfast.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of a store that is in use, and what holders find after it was set back to one. */
class BackupTest {
    private static final RestoreOptions REPLACE = new RestoreOptions(true, false, Instant.EPOCH);
    private static final RestoreOptions KEEP = new RestoreOptions(false, false, Instant.EPOCH);
    private static final Resource HELD = Resource.key("held");
    private static final Resource FREE = Resource.key("free");
    private static final Resource LATER = Resource.key("later");

    @TempDir
    private Path folder;

    private static Claim take(Claims claims, Resource resource, String holder) {
        ClaimOutcome outcome = claims.claim(ClaimRequest.of(resource, holder));
        assertThat(outcome).isInstanceOf(ClaimOutcome.Granted.class);
        return ((ClaimOutcome.Granted) outcome).claim();
    }

    /** What is in the backup, and what happens after it. Returns the grants that the backup does not have. */
    private static void before(Claims claims) {
        take(claims, HELD, "ann");
        claims.release(take(claims, FREE, "ann"), null);
    }

    private static void after(Claims claims) {
        take(claims, FREE, "bob");
        take(claims, LATER, "bob");
    }

    private static void nobodyGetsAnythingTwice(Store store) {
        try (Claims claims = Claims.over(store)) {
            HeartbeatOutcome late = claims.heartbeat(HELD, Fence.of("ann", 1));
            assertThat(late).as("it may have been given to another since").isInstanceOf(Refusal.Lost.class);
            assertThat(claims.heartbeat(FREE, Fence.of("bob", 2))).isInstanceOf(Refusal.class);
            for (Resource resource : new Resource[] {HELD, FREE, LATER}) {
                assertThat(take(claims, resource, "carl").generation())
                        .as(resource.toString())
                        .isGreaterThan(1_000_000);
            }
            assertThat(claims.tail().after(0, 100).stream().map(Event::type))
                    .contains("failover_detected", "reclaimed");
            assertThat(claims.tail().latest()).as("followers miss nothing").isGreaterThan(1_000_000);
        }
    }

    @Test
    void a_sqlite_store_is_copied_while_it_is_in_use_and_fences_stay_safe_when_it_is_set_back() throws IOException {
        Path data = folder.resolve("data");
        Path copy = Files.createFile(folder.resolve("copy.db"));
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            before(claims);
            SqliteBackup.write(data, copy);
            after(claims);
            assertThatThrownBy(() -> SqliteBackup.read(copy, data, REPLACE))
                    .as("a broker uses it")
                    .hasMessageContaining("another broker is using");
        }
        assertThatThrownBy(() -> SqliteBackup.read(copy, data, KEEP)).hasMessageContaining("--replace");
        SqliteBackup.Restored restored = SqliteBackup.read(copy, data, REPLACE);
        assertThat(restored.reclaimed()).isEqualTo(1);
        assertThat(restored.former())
                .isEqualTo(data.resolve("holdfast.db.before-19700101-000000"))
                .exists();
        assertThat(data.resolve("holdfast.restoring")).doesNotExist();
        try (SqliteStore store = SqliteStore.open(data)) {
            nobodyGetsAnythingTwice(store);
        }
    }

    @Test
    void what_is_not_a_whole_sqlite_store_is_refused_and_nothing_changes() throws IOException {
        Path data = folder.resolve("data");
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            before(claims);
        }
        byte[] there = Files.readAllBytes(data.resolve("holdfast.db"));
        Path copy = Files.write(folder.resolve("half.db"), java.util.Arrays.copyOf(there, there.length / 2));
        assertThatThrownBy(() -> SqliteBackup.read(copy, data, REPLACE)).isInstanceOf(StoreException.class);
        Path other = Files.writeString(folder.resolve("other"), "something else");
        assertThatThrownBy(() -> SqliteBackup.read(other, data, REPLACE)).hasMessageContaining("is not a backup");
        assertThat(Files.readAllBytes(data.resolve("holdfast.db"))).isEqualTo(there);
    }

    /** What would run, be read or be enforced in the restored store. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER planted AFTER INSERT ON events BEGIN DELETE FROM tokens; END",
                "CREATE VIEW planted AS SELECT * FROM tokens",
                "CREATE TABLE planted (id INTEGER)",
                "CREATE UNIQUE INDEX planted ON events (type)",
                "DROP INDEX tokens_name",
                "DROP VIEW slept",
                "ALTER TABLE tokens ADD COLUMN planted TEXT",
            })
    void a_sqlite_backup_with_other_definitions_than_ours_is_refused_and_nothing_changes(String sql) throws Exception {
        Path data = TestSqlite.in(folder.resolve("data"));
        Path copy = Files.createFile(folder.resolve("copy.db"));
        SqliteBackup.write(data, copy);
        byte[] there = Files.readAllBytes(data.resolve("holdfast.db"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        assertThatThrownBy(() -> SqliteBackup.read(copy, data, REPLACE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Holdfast backup")
                .hasMessageContaining(sql.contains("UNIQUE") ? "index planted" : " " + sql.split(" ")[2]);
        assertThat(Files.readAllBytes(data.resolve("holdfast.db"))).isEqualTo(there);
        assertThat(names(data)).containsExactly("holdfast.db", "holdfast.lock");
        assertThatThrownBy(() -> SqliteBackup.read(copy, folder.resolve("other"), KEEP))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void a_sqlite_backup_that_somebody_has_run_analyze_on_is_restored() throws Exception {
        Path data = TestSqlite.in(folder.resolve("data"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE");
        }
        Path copy = Files.createFile(folder.resolve("copy.db"));
        SqliteBackup.write(data, copy);
        assertThat(SqliteBackup.read(copy, data, REPLACE).former()).exists();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Damage is the usual reason to restore. */
    @Test
    void a_damaged_sqlite_store_is_replaced_and_no_generation_is_given_again() throws IOException {
        Path data = folder.resolve("data");
        Path copy = Files.createFile(folder.resolve("copy.db"));
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            before(claims);
            SqliteBackup.write(data, copy);
        }
        SqliteBackup.read(copy, data, REPLACE);
        long granted;
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            granted = take(claims, LATER, "bob").generation();
        }
        Files.writeString(data.resolve("holdfast.db"), "not a database any more");
        SqliteBackup.Restored again = SqliteBackup.read(copy, data, new RestoreOptions(true, false, Instant.now()));
        assertThat(again.unread()).contains("cannot open the store");
        assertThat(again.former()).isNotNull().content().isEqualTo("not a database any more");
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            assertThat(take(claims, LATER, "carl").generation()).isGreaterThan(granted);
        }
    }

    @Test
    void a_store_that_another_program_has_open_is_not_replaced() throws Exception {
        Path data = folder.resolve("data");
        Path copy = Files.createFile(folder.resolve("copy.db"));
        SqliteStore.open(data).close();
        SqliteBackup.write(data, copy);
        try (Connection reader = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("holdfast.db"));
                Statement statement = reader.createStatement()) {
            statement.execute("PRAGMA journal_mode = wal");
            statement.execute("CREATE TABLE reading (id INTEGER)");
            statement.execute("BEGIN");
            statement.executeQuery("SELECT count(*) FROM events").close();
            assertThatThrownBy(() -> SqliteBackup.read(copy, data, REPLACE))
                    .hasMessageContaining("another program has the store");
            statement.execute("COMMIT");
        }
        assertThat(SqliteBackup.read(copy, data, REPLACE).former()).exists();
    }

    @Test
    void a_postgresql_store_is_copied_while_it_is_in_use_and_fences_stay_safe_in_the_restored_one() throws IOException {
        String address = TestPostgres.freshDatabase();
        Path copy = folder.resolve("copy.zip");
        try (PostgresStore store = PostgresStore.open(address);
                Claims claims = Claims.over(store)) {
            before(claims);
            PostgresBackup.write(address, copy);
            after(claims);
        }
        assertThat(PostgresBackup.isOne(copy)).isTrue();
        assertThatThrownBy(() -> PostgresBackup.read(copy, address, KEEP))
                .hasMessageContaining("restore into an empty one");
        String restored = TestPostgres.emptyDatabase();
        PostgresBackup.read(copy, restored, KEEP);
        try (PostgresStore store = PostgresStore.open(restored)) {
            nobodyGetsAnythingTwice(store);
        }
    }

    @Test
    void half_a_postgresql_backup_is_refused_and_the_database_stays_empty() throws Exception {
        String address = TestPostgres.freshDatabase();
        Path copy = folder.resolve("copy.zip");
        PostgresBackup.write(address, copy);
        byte[] all = Files.readAllBytes(copy);
        Path half = Files.write(folder.resolve("half.zip"), java.util.Arrays.copyOf(all, all.length / 2));
        String empty = TestPostgres.emptyDatabase();
        assertThatThrownBy(() -> PostgresBackup.read(half, empty, KEEP)).isInstanceOf(StoreException.class);
        assertThat(definitions(empty)).isZero();
        PostgresBackup.read(copy, empty, KEEP);
        assertThat(definitions(empty)).as("it can be used for a whole one").isPositive();
    }

    @Test
    void a_postgresql_restore_that_fails_at_its_end_leaves_the_database_empty() throws Exception {
        String address = TestPostgres.freshDatabase();
        Path copy = folder.resolve("copy.zip");
        try (PostgresStore store = PostgresStore.open(address);
                Claims claims = Claims.over(store)) {
            before(claims);
            PostgresBackup.write(address, copy);
        }
        try (FileSystem archive = FileSystems.newFileSystem(copy)) {
            Path contents = archive.getPath("holdfast.json");
            Files.writeString(
                    contents, Files.readString(contents).replace("\"counters\":{", "\"counters\":{\"x.none\":1,"));
        }
        String empty = TestPostgres.emptyDatabase();
        assertThatThrownBy(() -> PostgresBackup.read(copy, empty, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database was not changed");
        assertThat(definitions(empty)).isZero();
    }

    @Test
    void a_postgresql_restore_into_a_database_with_other_tables_is_refused_and_changes_nothing() throws Exception {
        Path copy = folder.resolve("copy.zip");
        PostgresBackup.write(TestPostgres.freshDatabase(), copy);
        String used = TestPostgres.emptyDatabase();
        TestPostgres.execute(used, "CREATE TABLE something (id int)");
        assertThatThrownBy(() -> PostgresBackup.read(copy, used, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("non-empty schema");
        assertThat(definitions(used)).isEqualTo(1);
    }

    /** How many tables, sequences, views, indexes and functions there are. */
    private static long definitions(String address) throws SQLException {
        try (Connection connection = TestPostgres.connect(address);
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("""
                        SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace)
                            + (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
                        """)) {
            count.next();
            return count.getLong(1);
        }
    }

    /** Names of tables become part of statements, so only those that a store has are accepted. */
    @Test
    void a_postgresql_backup_that_names_another_table_runs_nothing() throws Exception {
        Path copy = folder.resolve("copy.zip");
        PostgresBackup.write(TestPostgres.freshDatabase(), copy);
        try (FileSystem archive = FileSystems.newFileSystem(copy)) {
            Path contents = archive.getPath("holdfast.json");
            Files.writeString(
                    contents,
                    Files.readString(contents)
                            .replace("\"tables\":{", "\"tables\":{\"tokens; CREATE TABLE planted (id int)\":[],"));
        }
        String empty = TestPostgres.emptyDatabase();

        assertThatThrownBy(() -> PostgresBackup.read(copy, empty, KEEP))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("that no store has");
        try (Connection connection = TestPostgres.connect(empty);
                Statement statement = connection.createStatement();
                ResultSet planted = statement.executeQuery("SELECT to_regclass('planted')")) {
            planted.next();
            assertThat(planted.getString(1)).isNull();
        }
    }
}
