package dev.holdfast.cli.imports.predecessor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An SQLite file opened for reading, as it was at one moment. Neither it nor the files next to it are ever written.
 *
 * <ul>
 *   <li>With a shared-memory file next to it, somebody may have it open: SQLite's own locks give one consistent view,
 *       including the write-ahead log.
 *   <li>With only a log or a journal next to it, its broker was killed: copies are read, because SQLite would merge the
 *       log into the file.
 *   <li>With nothing next to it, it is read as it is, without the files that SQLite would otherwise create next to it.
 * </ul>
 */
final class Snapshot implements AutoCloseable {
    private static final List<String> BESIDE = List.of("-wal", "-journal");

    private final Path file;
    private final Connection connection;
    private final @Nullable Path copies;
    private final @Nullable List<Object> before;

    private Snapshot(Path file, Connection connection, @Nullable Path copies, @Nullable List<Object> before) {
        this.file = file;
        this.connection = connection;
        this.copies = copies;
        this.before = before;
    }

    static Snapshot of(Path file) throws BadFileException {
        if (!Files.exists(file)) {
            throw new BadFileException(file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw new BadFileException(file + " is a folder; name the file in it, usually codex_review_broker.sqlite3");
        }
        if (!Files.isReadable(file)) {
            throw new BadFileException(file + ": permission denied");
        }
        try {
            Path real = file.toRealPath();
            if (Files.exists(beside(real, "-shm"))) {
                return new Snapshot(real, open(real, "mode=ro"), null, null);
            }
            List<Object> before = look(real);
            Path copies = null;
            for (String suffix : BESIDE) {
                if (Files.exists(beside(real, suffix)) && Files.size(beside(real, suffix)) > 0) {
                    copies = copies == null ? Files.createTempDirectory("holdfast-import") : copies;
                    Files.copy(beside(real, suffix), copies.resolve("copy" + suffix));
                }
            }
            if (copies == null) {
                return new Snapshot(real, open(real, "immutable=1"), null, before);
            }
            Path copy = Files.copy(real, copies.resolve("copy"));
            return new Snapshot(real, open(copy, "mode=rwc"), copies, before);
        } catch (IOException | SQLException e) {
            throw new BadFileException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static Connection open(Path file, String how) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toUri() + "?" + how);
        connection.setAutoCommit(false); // one transaction: one consistent view
        return connection;
    }

    Connection connection() {
        return connection;
    }

    /**
     * @throws BadFileException when somebody wrote to it in the meantime, which only the shared memory would have
     *     revealed
     */
    void checkUnchanged() throws BadFileException {
        try {
            if (before != null && !before.equals(look(file))) {
                throw new BadFileException(file + " was written to while it was read; try again");
            }
        } catch (IOException e) {
            throw new BadFileException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<Object> look(Path file) throws IOException {
        List<Object> seen = new ArrayList<>();
        for (String suffix : List.of("", "-wal", "-journal", "-shm")) {
            Path one = beside(file, suffix);
            boolean exists = Files.exists(one);
            seen.add(exists ? Files.size(one) : -1L);
            seen.add(exists ? Files.getLastModifiedTime(one) : FileTime.fromMillis(0));
        }
        return seen;
    }

    @Override
    public void close() {
        try {
            connection.close();
            if (copies != null) {
                for (String suffix : List.of("", "-wal", "-journal", "-shm")) {
                    Files.deleteIfExists(copies.resolve("copy" + suffix));
                }
                Files.delete(copies);
            }
        } catch (SQLException | IOException e) {
            // it was only read; at worst a copy is left in the temporary folder
        }
    }
}
