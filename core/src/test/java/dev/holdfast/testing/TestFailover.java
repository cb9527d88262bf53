package dev.holdfast.testing;

import static org.awaitility.Awaitility.await;

import dev.holdfast.store.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server and a streaming standby, asynchronous by default; the standby can really be promoted. */
public final class TestFailover implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path folder = TemporaryFolders.create();
    private final int[] ports = {FreePort.find(), FreePort.find()};
    private @Nullable EmbeddedPostgres primary;
    private @Nullable EmbeddedPostgres standby;
    private final @Nullable SmallDisk disk;

    public TestFailover() throws IOException, SQLException {
        this(null);
    }

    /** With the primary on a disk that can fill up, if such a disk can be created. */
    public static TestFailover onSmallDisk(int megabytes) throws IOException, SQLException, InterruptedException {
        return new TestFailover(megabytes);
    }

    private TestFailover(@Nullable Integer megabytes) throws IOException, SQLException {
        disk = megabytes == null ? null : disk(megabytes);
        primary = start(0);
        PostgresStore.open(address(0)).close();
        primary.close();
        // a copy of files at rest is all that a base backup is
        copy(files(0), files(1));
        Files.createFile(files(1).resolve("standby.signal"));
        Files.writeString(
                files(1).resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + ports[0] + " user=postgres'\n",
                StandardOpenOption.APPEND);
        primary = start(0);
        standby = start(1);
    }

    private @Nullable SmallDisk disk(int megabytes) throws IOException {
        try {
            return SmallDisk.at(folder.resolve("disk"), megabytes).orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private Path files(int server) {
        Path place = server == 0 && disk != null ? folder.resolve("disk") : folder;
        return place.resolve(Integer.toString(server));
    }

    /**
     * Fills the primary's disk, so that nothing more can be written to it.
     *
     * @return false if it is an ordinary disk
     */
    public boolean fillDisk() throws IOException, InterruptedException {
        if (disk == null) {
            return false;
        }
        disk.fill();
        return true;
    }

    /** Makes room on the disk again; restarts a primary that gave up, as its operator would. */
    public void makeRoom() throws IOException {
        if (disk == null) {
            return;
        }
        disk.makeRoom();
        try {
            await().atMost(Duration.ofSeconds(10))
                    .ignoreExceptions()
                    .until(() -> !value(0, "SELECT 1").isEmpty());
        } catch (ConditionTimeoutException _) {
            primary().close();
            primary = start(0);
        }
    }

    private EmbeddedPostgres start(int server) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(files(server))
                .setCleanDataDirectory(false)
                .setPort(ports[server])
                .setPGStartupWait(START)
                .start();
    }

    /** From now on nothing is acknowledged before the standby has it on disk. */
    public void followSynchronously() throws SQLException {
        execute(0, "ALTER SYSTEM SET synchronous_standby_names = '*'");
        execute(0, "SELECT pg_reload_conf()");
        await().atMost(START)
                .until(() -> value(0, "SELECT string_agg(sync_state, ',') FROM pg_stat_replication")
                        .equals("sync"));
    }

    /** Restarts the primary: orderly, or by a crash that loses all its memory. */
    public void restart(boolean inOrder) throws IOException, SQLException {
        if (inOrder) {
            primary().close();
            primary = start(0);
            return;
        }
        // SIGKILL of one session makes the server end all others and recover from its log
        try (Connection connection = TestPostgres.connect(address(0));
                Statement statement = connection.createStatement();
                ResultSet own = statement.executeQuery("SELECT pg_backend_pid()")) {
            own.next();
            ProcessHandle.of(own.getLong(1)).orElseThrow().destroyForcibly();
        }
    }

    /** Kills the primary instead of stopping it: whatever it has not sent to its standby is lost. */
    public void killPrimary() throws IOException {
        String process = Files.readAllLines(files(0).resolve("postmaster.pid"))
                .getFirst()
                .strip();
        ProcessHandle server = ProcessHandle.of(Long.parseLong(process)).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        await().atMost(START).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        primary = null;
    }

    /** The port of one of the two, 0 or 1. */
    public int port(int server) {
        return ports[server];
    }

    /** Names both, as an operator would; the driver finds the one that accepts changes. */
    public String address() {
        return "jdbc:postgresql://127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1]
                + "/postgres?user=postgres&targetServerType=primary";
    }

    /** The address of one of the two, 0 or 1. */
    public String address(int server) {
        return "jdbc:postgresql://127.0.0.1:" + ports[server] + "/postgres?user=postgres";
    }

    /**
     * Waits until the standby has everything that the primary has, then cuts it off: only the primary gets what comes
     * after that.
     */
    public void cutOffStandby() throws IOException, SQLException {
        String written = value(0, "SELECT pg_current_wal_lsn()");
        await().atMost(START)
                .until(() -> value(1, "SELECT pg_last_wal_replay_lsn() >= '" + written + "'")
                        .equals("t"));
        standby().close();
        standby = null;
    }

    /** Removes the primary for good; the standby takes its place with what it has. */
    public void failOver() throws IOException, SQLException {
        if (primary != null) {
            primary.close();
            primary = null;
        }
        if (standby == null) {
            standby = start(1);
        }
        value(1, "SELECT pg_promote(true, 60)");
    }

    public String value(int server, String query) throws SQLException {
        try (Connection connection = TestPostgres.connect(address(server));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    public void execute(int server, String statement) {
        TestPostgres.execute(address(server), statement);
    }

    private EmbeddedPostgres primary() {
        if (primary == null) {
            throw new IllegalStateException("the primary is gone");
        }
        return primary;
    }

    private EmbeddedPostgres standby() {
        if (standby == null) {
            throw new IllegalStateException("the standby is cut off already");
        }
        return standby;
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(from)) {
            all = paths.toList();
        }
        for (Path path : all) {
            Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    @Override
    public void close() throws IOException {
        if (primary != null) {
            primary.close();
        }
        if (standby != null) {
            standby.close();
        }
        if (disk != null) {
            disk.close();
        }
        TestStore.delete(folder);
    }
}
