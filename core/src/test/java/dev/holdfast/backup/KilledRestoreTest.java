package dev.holdfast.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.store.InUseException;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.testing.ChildJvm;
import dev.holdfast.testing.TestClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A restore over an existing store is killed in a process of its own, after each of its steps. */
class KilledRestoreTest {
    private static final int KILLED = 137;

    @TempDir
    private Path folder;

    private Path data;
    private Path copy;

    /** A store with one resource, of which there is a backup, and another that came later. */
    @BeforeEach
    void backup() throws IOException {
        data = folder.resolve("data");
        copy = Files.createFile(folder.resolve("copy"));
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("before"), "ann"));
            SqliteBackup.write(data, copy);
            claims.claim(ClaimRequest.of(Resource.key("after"), "ann"));
        }
    }

    /** @param args the copy, the folder, and the step after which to die */
    public static void main(String[] args) {
        SqliteBackup.read(Path.of(args[0]), Path.of(args[1]), options(), step -> {
            if (step.name().equals(args[2])) {
                Runtime.getRuntime().halt(KILLED); // no finally block runs
            }
        });
    }

    private static RestoreOptions options() {
        return new RestoreOptions(true, false, Instant.now());
    }

    @ParameterizedTest
    @EnumSource(SqliteBackup.Step.class)
    void a_killed_restore_leaves_a_whole_store_and_can_be_repeated(SqliteBackup.Step step) throws Exception {
        ChildJvm killed = ChildJvm.start(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                TestClassPath.whole(),
                KilledRestoreTest.class.getName(),
                copy.toString(),
                data.toString(),
                step.name()));
        assertThat(killed.exitCode(60)).as(killed.output()).isEqualTo(KILLED);

        boolean restored = step == SqliteBackup.Step.REPLACED;
        assertThat(claimedAfterwards()).as("the later claim").isEqualTo(!restored);

        Path kept =
                Objects.requireNonNull(SqliteBackup.read(copy, data, options()).former());
        assertThat(claimedAfterwards()).isFalse();
        try (Stream<Path> files = Files.list(data)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("holdfast.db", kept.getFileName().toString())
                    .allMatch(name -> name.matches("holdfast\\.(db|lock|db\\.before-.*)"))
                    .hasSize(restored ? 4 : 3); // what was kept by a restore that had not happened is gone
        }
    }

    private boolean claimedAfterwards() {
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            List<Event> events = claims.tail().after(0, 100);
            assertThat(events.stream().map(Event::resource)).contains("key:before");
            return events.stream().anyMatch(event -> event.resource().equals("key:after"));
        }
    }

    @Test
    void no_broker_can_start_while_a_store_is_being_restored() {
        List<SqliteBackup.Step> seen = new ArrayList<>();
        SqliteBackup.read(copy, data, options(), step -> {
            assertThatThrownBy(() -> SqliteStore.open(data)).isInstanceOf(InUseException.class);
            seen.add(step);
        });
        assertThat(seen).containsExactly(SqliteBackup.Step.values());
    }
}
