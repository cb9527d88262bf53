package dev.holdfast.testing;

import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Sql;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An empty store that is deleted when it is closed.
 *
 * @param address of the database; null on SQLite
 * @param folder of the files; null on PostgreSQL
 */
public record TestStore(
        Store store,
        @Nullable SettableClock clock,
        @Nullable String address,
        @Nullable Path folder) implements AutoCloseable {

    /** With a clock that stands still until the test moves it. */
    public static TestStore settable(Engine engine) {
        return switch (engine) {
            case SQLITE -> {
                SettableClock clock = SettableClock.inProcess();
                Path folder = newFolder();
                yield new TestStore(SqliteStore.open(folder, _ -> clock.leaseClock()), clock, null, folder);
            }
            case POSTGRES -> settable(TestPostgres.freshDatabase());
        };
    }

    /** In this PostgreSQL database, with the test's clock. */
    public static TestStore settable(String address) {
        SettableClock clock = SettableClock.in(address);
        return new TestStore(PostgresStore.open(address), clock, address, null);
    }

    /** In this PostgreSQL database, with its own clock. */
    public static TestStore ticking(String address) {
        return new TestStore(PostgresStore.open(address), null, address, null);
    }

    /** With the clock that the store has in production. */
    public static TestStore ticking(Engine engine) {
        return switch (engine) {
            case SQLITE -> {
                Path folder = newFolder();
                yield new TestStore(SqliteStore.open(folder), null, null, folder);
            }
            case POSTGRES -> ticking(TestPostgres.freshDatabase());
        };
    }

    /** The clock of a settable store. */
    public SettableClock settableClock() {
        if (clock == null) {
            throw new IllegalStateException("this store is on its own clock");
        }
        return clock;
    }

    private static final Sql UNSOUND = Sql.of("""
            SELECT key FROM resources
            WHERE state NOT IN ('ready', 'blocked', 'held', 'done')
                OR (state = 'held') <> (holder IS NOT NULL)
                OR (state = 'held' AND outer_key IS NULL AND expires_at IS NULL)
            """);

    /**
     * Rows in an impossible state; PostgreSQL has no constraints for this, because they would slow down every claim.
     */
    public List<String> unsoundRows() {
        return store.read(transaction -> transaction.list(UNSOUND, _ -> {}, row -> row.text("key")));
    }

    /** Deletes everything and sets the clock back; the rows must have been sound. */
    public void empty() {
        if (!unsoundRows().isEmpty()) {
            throw new IllegalStateException("rows that cannot be: " + unsoundRows());
        }
        store.write(transaction -> {
            for (String table : List.of(
                    "page_sessions",
                    "tokens",
                    "overrides",
                    "tallied_reviews",
                    "review_figures",
                    "outbox",
                    "finalization_attempts",
                    "step_dependencies",
                    "steps",
                    "task_counters",
                    "tasks",
                    "findings",
                    "imported_reviews",
                    "work_dependencies",
                    "work_items",
                    "beads_lines",
                    "reservations",
                    "messages",
                    "proposers",
                    "receipts",
                    "verdicts",
                    "revisions",
                    "review_desks",
                    "reviews",
                    "resources",
                    "events",
                    "displacements",
                    "agents",
                    "agent_processes",
                    "former_agents",
                    "reviewers",
                    "pool_minutes",
                    "repository_folders",
                    "repositories")) {
                transaction.update(Sql.of("DELETE FROM " + table), _ -> {});
            }
            return transaction.update(Sql.of("UPDATE generation_floor SET generation = 0"), _ -> {});
        });
        if (clock != null) {
            clock.reset();
        }
    }

    private static Path newFolder() {
        return TestSqlite.in(TemporaryFolders.create());
    }

    public static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        store.close();
        if (clock != null) {
            clock.close();
        }
        if (folder != null) {
            delete(folder);
        }
    }
}
