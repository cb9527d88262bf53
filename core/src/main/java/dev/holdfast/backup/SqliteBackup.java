package dev.holdfast.backup;

import dev.holdfast.claim.FenceOut;
import dev.holdfast.store.PrivateFolder;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a SQLite store: a database file of its own, as of one moment. It is made by SQLite itself ({@code VACUUM INTO}), and
 * holds up no broker that is at work.
 *
 * <ol>
 *   <li>A restore makes the store of the copy in a folder beside, checks it, brings it up to date and fences out everybody there.
 *   <li>Only then it moves to its place, in one step; what was there before is kept under another name.
 *   <li>So a restore that fails or is killed at any point has changed nothing, and no store is ever in place whose generations
 *       could be given twice.
 * </ol>
 */
public final class SqliteBackup {
    private static final String STORE = "holdfast.db";
    private static final List<String> BESIDE = List.of("-wal", "-shm");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private SqliteBackup() {}

    /**
     * Copies the store in this folder, in use or not.
     *
     * @param to an empty file
     */
    public static void write(Path folder, Path to) {
        Path store = folder.resolve(STORE);
        if (!Files.isRegularFile(store)) {
            throw new StoreException("there is no store in " + folder + "; say where it is with --data or --database");
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, to.toString());
            copy.execute();
            check(to);
            force(to);
        } catch (SQLException | IOException e) {
            throw new StoreException("cannot copy " + store + " to " + to + ": " + e.getMessage(), e);
        }
    }

    /** What a restore came to: where the former store is kept (null: there was none), and how many claims were taken back. */
    public record Restored(@Nullable Path former, long takenBack) {}

    /**
     * Puts the store of a copy in place. No broker may be using the folder.
     *
     * @param replace a store that is there is put aside; otherwise it is left alone
     */
    public static Restored read(Path copy, Path folder, boolean replace, Instant now) {
        boolean there = Files.exists(folder.resolve(STORE));
        if (there && !replace) {
            throw new StoreException("there is a store in " + folder
                    + " already; add --replace to put it aside, or choose another folder with --data");
        }
        check(copy);
        long above = there ? highest(folder) : 0; // fails while a broker uses it
        Path beside = folder.resolve("restoring");
        try {
            delete(beside);
            PrivateFolder.make(folder, false);
            long takenBack;
            try (SqliteStore made = from(copy, beside)) {
                takenBack = FenceOut.everybody(made, "restored", above);
            }
            force(beside.resolve(STORE));
            Path former = there ? putAside(folder, now) : null;
            Files.move(beside.resolve(STORE), folder.resolve(STORE), StandardCopyOption.ATOMIC_MOVE);
            delete(beside);
            return new Restored(former, takenBack);
        } catch (IOException e) {
            throw new StoreException("cannot restore " + copy + " into " + folder + ": " + e.getMessage(), e);
        }
    }

    private static long highest(Path folder) {
        try (SqliteStore store = SqliteStore.open(folder)) {
            return FenceOut.highest(store);
        }
    }

    private static SqliteStore from(Path copy, Path beside) throws IOException {
        SqliteStore.open(beside).close(); // makes the folder and the file, closed to others
        Files.copy(copy, beside.resolve(STORE), StandardCopyOption.REPLACE_EXISTING);
        return SqliteStore.open(beside);
    }

    private static Path putAside(Path folder, Instant now) throws IOException {
        Path former = folder.resolve(STORE + ".before-" + STAMP.format(now));
        for (String suffix : BESIDE) {
            if (Files.exists(folder.resolve(STORE + suffix))) {
                Files.move(folder.resolve(STORE + suffix), folder.resolve(former.getFileName() + suffix));
            }
        }
        return Files.move(folder.resolve(STORE), former, StandardCopyOption.ATOMIC_MOVE);
    }

    /** @throws StoreException when it is not a whole store of Holdfast */
    private static void check(Path copy) {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:file:" + copy.toUri().getRawPath() + "?mode=ro");
                Statement statement = connection.createStatement()) {
            try (ResultSet checked = statement.executeQuery("PRAGMA integrity_check")) {
                checked.next();
                if (!checked.getString(1).equals("ok")) {
                    throw new StoreException(copy + " is damaged: " + checked.getString(1));
                }
            }
            statement.executeQuery("SELECT count(*) FROM schema_history").close();
        } catch (SQLException e) {
            throw new StoreException(copy + " is not a backup of a Holdfast store: " + e.getMessage(), e);
        }
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }
}
