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
 * A consistent copy of a SQLite store, as a separate database file. SQLite itself makes it ({@code VACUUM INTO}),
 * without blocking a running broker.
 *
 * <ol>
 *   <li>A restore first builds the store in a separate folder, checks it, migrates it, and fences out everybody in it.
 *   <li>Only then does it move the store into place, in one step; a previous store is kept under another name.
 *   <li>So a restore that fails or is killed at any point has changed nothing, and no store is ever in place whose
 *       generations could be granted twice.
 * </ol>
 */
public final class SqliteBackup {
    private static final String STORE = "holdfast.db";
    private static final List<String> BESIDE = List.of("-wal", "-shm");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private SqliteBackup() {}

    /**
     * Copies the store in this folder, whether or not it is in use.
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

    /**
     * The result of a restore: where the former store is kept (null: there was none), and how many claims were
     * reclaimed.
     */
    public record Restored(@Nullable Path former, long takenBack) {}

    /**
     * Restores a copy into this folder. No broker may be using the folder.
     *
     * @param replace move an existing store aside; otherwise it is an error
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
        SqliteStore.open(beside).close(); // creates the folder and the file with private permissions
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

    /** @throws StoreException if it is not a complete Holdfast store */
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
