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
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a store that is in use, and what holders find after it was set back to one. */
class BackupTest {
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
            assertThatThrownBy(() -> SqliteBackup.read(copy, data, true, Instant.EPOCH))
                    .as("a broker uses it")
                    .hasMessageContaining("another broker is using");
        }
        assertThatThrownBy(() -> SqliteBackup.read(copy, data, false, Instant.EPOCH))
                .hasMessageContaining("--replace");
        SqliteBackup.Restored restored = SqliteBackup.read(copy, data, true, Instant.EPOCH);
        assertThat(restored.takenBack()).isEqualTo(1);
        assertThat(restored.former())
                .isEqualTo(data.resolve("holdfast.db.before-19700101-000000"))
                .exists();
        assertThat(data.resolve("restoring")).doesNotExist();
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
        assertThatThrownBy(() -> SqliteBackup.read(copy, data, true, Instant.EPOCH))
                .isInstanceOf(StoreException.class);
        Path other = Files.writeString(folder.resolve("other"), "something else");
        assertThatThrownBy(() -> SqliteBackup.read(other, data, true, Instant.EPOCH))
                .hasMessageContaining("is not a backup");
        assertThat(Files.readAllBytes(data.resolve("holdfast.db"))).isEqualTo(there);
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
        assertThatThrownBy(() -> PostgresBackup.read(copy, address)).hasMessageContaining("restore into an empty one");
        String restored = TestPostgres.emptyDatabase();
        PostgresBackup.read(copy, restored);
        try (PostgresStore store = PostgresStore.open(restored)) {
            nobodyGetsAnythingTwice(store);
        }
    }

    @Test
    void half_a_postgresql_backup_is_refused_and_leaves_nothing_in_the_tables() throws IOException {
        String address = TestPostgres.freshDatabase();
        Path copy = folder.resolve("copy.zip");
        PostgresBackup.write(address, copy);
        byte[] all = Files.readAllBytes(copy);
        Path half = Files.write(folder.resolve("half.zip"), java.util.Arrays.copyOf(all, all.length / 2));
        assertThatThrownBy(() -> PostgresBackup.read(half, TestPostgres.emptyDatabase()))
                .isInstanceOf(StoreException.class);
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

        assertThatThrownBy(() -> PostgresBackup.read(copy, empty))
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
