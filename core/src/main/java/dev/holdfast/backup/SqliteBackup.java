package dev.holdfast.backup;

import dev.holdfast.claim.RestoreFencing;
import dev.holdfast.store.FolderLock;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.StoreException;
import dev.holdfast.token.RestoredTokens;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
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
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A consistent copy of a SQLite store, as a separate database file. SQLite itself makes it ({@code VACUUM INTO}),
 * without blocking a running broker.
 *
 * <ol>
 *   <li>A restore reserves the folder as a broker does, from beginning to end.
 *   <li>It builds the store in a separate folder, checks it, migrates it, and fences out everybody in it.
 *   <li>A previous store is kept by giving its file a second name.
 *   <li>Only then does it move the new store over the first name, in one step.
 *   <li>So there is a whole store in place at every moment, whenever the restore fails or is killed: the previous one, or
 *       one whose generations were never granted before.
 * </ol>
 */
public final class SqliteBackup {
    private static final String STORE = "holdfast.db";
    private static final String LOG = "-wal";
    private static final String KEPT = STORE + ".before-";
    private static final String BESIDE = "holdfast.restoring";

    /** Of a file from elsewhere: a view of that name could run for as long as it likes. */
    private static final String IS_TABLE =
            "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_history' AND type = 'table'";

    private static final String VERSION = "SELECT max(cast(version AS integer)) FROM schema_history WHERE success";

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
            throw new StoreException(
                    "there is no store in " + folder + "; give its location with --data or --database");
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, to.toString());
            copy.execute();
            check(to, to);
            force(to);
        } catch (SQLException | IOException e) {
            throw new StoreException("cannot copy " + store + " to " + to + ": " + e.getMessage(), e);
        }
    }

    /**
     * The result of a restore.
     *
     * @param former where the previous store is kept; null: there was none
     * @param unread why the previous store could not be read; null: it could, or there was none
     * @param reclaimed how many claims were reclaimed
     */
    public record Restored(@Nullable Path former, @Nullable String unread, long reclaimed, RestoredTokens tokens) {}

    /** What a restore has done so far. */
    enum Step {
        PREPARED,
        KEPT_PREVIOUS,
        REPLACED
    }

    /** Restores a copy into this folder. No broker may be using the folder. */
    public static Restored read(Path copy, Path folder, RestoreOptions options) {
        return read(copy, folder, options, _ -> {});
    }

    static Restored read(Path copy, Path folder, RestoreOptions options, Consumer<Step> done) {
        version(copy);
        try (FolderLock reserved = FolderLock.take(folder)) {
            boolean there = Files.exists(folder.resolve(STORE));
            if (there && !options.replace()) {
                throw new StoreException("there is a store in " + folder
                        + " already; add --replace to put it aside, or choose another folder with --data");
            }
            deleteLeftovers(folder);
            try {
                return read(copy, folder, there ? Previous.in(reserved, options.now()) : Previous.NONE, options, done);
            } finally {
                delete(folder.resolve(BESIDE));
            }
        } catch (IOException | SQLException e) {
            throw new StoreException("cannot restore " + copy + " into " + folder + ": " + e.getMessage(), e);
        }
    }

    private static Restored read(Path copy, Path folder, Previous previous, RestoreOptions options, Consumer<Step> done)
            throws IOException, SQLException {
        Path beside = folder.resolve(BESIDE);
        long reclaimed;
        RestoredTokens tokens;
        try (SqliteStore made = from(copy, beside)) {
            reclaimed = RestoreFencing.everybody(made, "restored", previous.highest);
            tokens = made.write(transaction -> options.settle(transaction, previous.tokens));
        }
        force(beside.resolve(STORE));
        done.accept(Step.PREPARED);
        Path kept = previous.there ? keep(folder, previous, options.now()) : null;
        done.accept(Step.KEPT_PREVIOUS);
        Files.move(beside.resolve(STORE), folder.resolve(STORE), StandardCopyOption.ATOMIC_MOVE);
        forceEntries(folder);
        done.accept(Step.REPLACED);
        return new Restored(kept, previous.unread, reclaimed, tokens);
    }

    /**
     * What the store that is to be replaced knows, and the backup may not.
     *
     * @param highest the highest generation that it may have granted
     * @param tokens empty: there is no such store, or it cannot be read
     * @param unread why it cannot be read; null: it can
     */
    private record Previous(
            boolean there,
            long highest,
            Optional<List<RestoredTokens.Known>> tokens,
            @Nullable String unread) {
        static final Previous NONE = new Previous(false, 0, Optional.empty(), null);

        /**
         * A store that cannot be read is damaged, or of a newer version: reasons to restore a backup. The time is higher
         * than any generation that it can have granted, even if it was itself restored from the same backup.
         */
        static Previous in(FolderLock reserved, Instant now) {
            try (SqliteStore store = SqliteStore.open(reserved)) {
                return new Previous(
                        true, RestoreFencing.highest(store), Optional.of(store.read(RestoredTokens::known)), null);
            } catch (StoreException e) {
                return new Previous(true, now.toEpochMilli(), Optional.empty(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** @throws StoreException if the copy is not a complete Holdfast store, or has more in it */
    private static SqliteStore from(Path copy, Path beside) throws IOException, SQLException {
        Path file = beside.resolve(STORE);
        SqliteStore.makeEmpty(beside, version(copy)); // creates the folder and the file with private permissions
        SqliteSchema made = SqliteSchema.of(file);
        Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
        check(file, copy);
        SqliteSchema.of(file).requireSame(made);
        return SqliteStore.open(beside);
    }

    /**
     * Gives the previous store a second name, so that there is one under its first name at every moment.
     *
     * @return the second name
     */
    private static Path keep(Path folder, Previous previous, Instant now) throws IOException {
        Path store = folder.resolve(STORE);
        Path log = folder.resolve(STORE + LOG);
        boolean unfinished = Files.exists(log) && Files.size(log) > 0;
        if (unfinished && previous.unread == null) { // otherwise it was written into the store and is gone
            throw new StoreException("another program has the store in " + folder + " open; close it first");
        }
        Path kept = folder.resolve(KEPT + STAMP.format(now));
        for (int i = 2; Files.exists(kept); i++) {
            kept = folder.resolve(KEPT + STAMP.format(now) + "-" + i);
        }
        try {
            Files.createLink(kept, store);
        } catch (UnsupportedOperationException | FileSystemException e) { // not every file system can
            Files.copy(store, kept);
            force(kept);
        }
        if (unfinished) {
            Files.move(log, folder.resolve(kept.getFileName() + LOG), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.deleteIfExists(log); // SQLite would add it to the new store
        Files.deleteIfExists(folder.resolve(STORE + "-shm"));
        forceEntries(folder);
        return kept;
    }

    /** Of a restore that was killed. */
    private static void deleteLeftovers(Path folder) throws IOException {
        delete(folder.resolve(BESIDE));
        Path store = folder.resolve(STORE);
        try (DirectoryStream<Path> kept = Files.newDirectoryStream(folder, KEPT + "*")) {
            for (Path file : kept) {
                if (Files.exists(store) && Files.isSameFile(file, store)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** @throws StoreException if it is not a Holdfast store */
    private static int version(Path copy) {
        try (Connection connection = readOnly(copy);
                Statement statement = connection.createStatement()) {
            int found = number(statement, IS_TABLE) == 0 ? 0 : number(statement, VERSION);
            if (found > 0) {
                return found;
            }
        } catch (SQLException e) {
            throw new StoreException(copy + " is not a backup of a Holdfast store: " + e.getMessage(), e);
        }
        throw new StoreException(copy + " is not a backup of a Holdfast store");
    }

    private static int number(Statement statement, String sql) throws SQLException {
        try (ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getInt(1);
        }
    }

    /** @throws StoreException if the file is damaged */
    private static void check(Path file, Path named) throws SQLException {
        try (Connection connection = readOnly(file);
                Statement statement = connection.createStatement();
                ResultSet checked = statement.executeQuery("PRAGMA integrity_check")) {
            checked.next();
            if (!checked.getString(1).equals("ok")) {
                throw new StoreException(named + " is damaged: " + checked.getString(1));
            }
        }
    }

    private static Connection readOnly(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:file:" + file.toUri().getRawPath() + "?mode=ro");
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Syncs the names in a folder to disk, where the system can. */
    private static void forceEntries(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (AccessDeniedException _) {
            // Windows does not open folders, and keeps them in order by itself
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
