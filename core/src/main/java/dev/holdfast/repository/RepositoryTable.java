package dev.holdfast.repository;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The SQL of {@code repositories} and {@code repository_folders}. */
final class RepositoryTable {
    private static final Sql ADD = Sql.of("""
            INSERT INTO repositories (key, name, first_seen, last_seen) VALUES (:key, :name, :now, :now)
            ON CONFLICT (key) DO UPDATE SET last_seen = excluded.last_seen
            """);

    /** Only one transaction at a time distinguishes folders with the same name. */
    private static final Sql LOCK =
            Sql.of("SELECT 1 AS locked FROM (SELECT pg_advisory_xact_lock(hashtext('repository'), hashtext(:name))) l");

    private static final Sql FOLDER = Sql.of("""
            SELECT f.key, r.name, f.root FROM repository_folders f JOIN repositories r ON r.key = f.key
            WHERE f.machine = :machine AND f.folder = :folder
            """);

    private static final Sql NAMED = Sql.of("""
            SELECT f.key, r.name, f.root FROM repositories r JOIN repository_folders f ON f.key = r.key
            WHERE r.name = :name ORDER BY r.first_seen, f.folder
            """);

    private static final Sql SEE = Sql.of("""
            INSERT INTO repository_folders (machine, folder, key, root, last_seen)
            VALUES (:machine, :folder, :key, :root, :now)
            ON CONFLICT (machine, folder) DO UPDATE SET key = excluded.key, last_seen = excluded.last_seen,
                root = CASE WHEN excluded.root = '' THEN repository_folders.root ELSE excluded.root END
            """);

    private static final Sql FOLDERS = Sql.of("""
            SELECT folder FROM repository_folders WHERE key = :key AND machine = :machine ORDER BY last_seen DESC, folder
            """);

    private static final Sql LATEST = Sql.of("SELECT key FROM repositories ORDER BY last_seen DESC, key LIMIT :max");

    private RepositoryTable() {}

    /** @param name of the repository, normalised */
    record Folder(String key, String name, String root) {}

    static void lock(Transaction transaction, String name) throws SQLException {
        if (transaction.engine() == Engine.POSTGRES) { // SQLite has one writer
            transaction.list(LOCK, p -> p.text("name", name), _ -> name);
        }
    }

    static void add(Transaction transaction, String key, String name) throws SQLException {
        long now = transaction.now();
        transaction.update(ADD, p -> p.text("key", key).text("name", name).time("now", now));
    }

    static void see(Transaction transaction, RepositoryReport seen, String key) throws SQLException {
        long now = transaction.now();
        transaction.update(
                SEE,
                p -> p.text("machine", seen.machine())
                        .text("folder", seen.folder())
                        .text("key", key)
                        .text("root", seen.root())
                        .time("now", now));
    }

    static Optional<Folder> folder(Transaction transaction, String machine, String folder) throws SQLException {
        return transaction.first(FOLDER, p -> p.text("machine", machine).text("folder", folder), RepositoryTable::read);
    }

    static List<Folder> named(Transaction transaction, String name) throws SQLException {
        return transaction.list(NAMED, p -> p.text("name", name), RepositoryTable::read);
    }

    static List<String> folders(Transaction transaction, String key, String machine) throws SQLException {
        return transaction.list(FOLDERS, p -> p.text("key", key).text("machine", machine), row -> row.text("folder"));
    }

    static List<String> latest(Transaction transaction, int max) throws SQLException {
        return transaction.list(LATEST, p -> p.number("max", max), row -> row.text("key"));
    }

    private static Folder read(Row row) throws SQLException {
        return new Folder(row.text("key"), row.text("name"), row.text("root"));
    }
}
