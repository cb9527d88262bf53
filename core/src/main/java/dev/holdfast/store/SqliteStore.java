package dev.holdfast.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/**
 * A store in a folder of this machine: SQLite in WAL mode, every commit synced to disk, one writer whose commits are
 * shared by all who wait, readers on connections of their own. One process per folder.
 *
 * <p>Each piece of work runs in a savepoint of the common transaction, so that one that fails takes nobody along. An
 * error can also end the whole transaction (a full disk does that); then the offender gets its error and the others
 * run again in a new one.
 */
public final class SqliteStore implements Store {
    private static final int READERS = 4;
    private static final int CAPACITY = 20_000;
    private static final int LARGEST_BATCH = 512;

    private static final Sql LATEST_STORED_TIME = Sql.of("""
            SELECT max(coalesce((SELECT at FROM events ORDER BY id DESC LIMIT 1), 0),
                       coalesce((SELECT max(renewed_at) FROM resources WHERE state = 'held'), 0)) AS latest
            """);

    private final FolderLock lock;
    private final SQLiteDataSource source;
    private final HikariDataSource readers;
    private final LeaseClock clock;
    private final Combiner<Request<?>> combiner;
    private volatile StoreObserver observer = StoreObserver.NONE;
    private final int origin = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
    private Writer writer;

    /** Opens the store in this folder, making it if need be, on the lease clock of this process. */
    public static SqliteStore open(Path folder) {
        return open(folder, latest -> LeaseClock.monotonic(Clock.systemUTC(), System::nanoTime, latest));
    }

    /** Opens the store on a clock made from the latest time that is stored in it. */
    public static SqliteStore open(Path folder, LongFunction<LeaseClock> clock) {
        FolderLock lock = FolderLock.take(folder);
        try {
            return new SqliteStore(lock, folder.resolve("holdfast.db"), clock);
        } catch (SQLException e) {
            lock.close();
            throw new StoreException("cannot open the store in " + folder + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private SqliteStore(FolderLock lock, Path file, LongFunction<LeaseClock> clock) throws SQLException {
        this.lock = lock;
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        Migrations.run(source, Engine.SQLITE);

        HikariConfig pool = new HikariConfig();
        pool.setDataSource(source);
        pool.setMaximumPoolSize(READERS);
        pool.setMinimumIdle(1);
        pool.setAutoCommit(false);
        pool.setPoolName("holdfast-readers");
        pool.setConnectionInitSql("PRAGMA query_only = true");
        readers = new HikariDataSource(pool);

        LeaseClock none = _ -> 0;
        this.clock = clock.apply(readWith(
                none,
                transaction -> transaction
                        .first(LATEST_STORED_TIME, _ -> {}, row -> row.number("latest"))
                        .orElse(0L)));
        writer = new Writer(source.getConnection());
        combiner = new Combiner<>("holdfast-sqlite-writer", CAPACITY, LARGEST_BATCH, _ -> List.of(), this::writeBatch);
    }

    @Override
    public Engine engine() {
        return Engine.SQLITE;
    }

    @Override
    public StoreObserver observer() {
        return observer;
    }

    @Override
    public void observer(StoreObserver observer) {
        this.observer = observer;
    }

    @Override
    public int origin() {
        return origin;
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        Request<T> request = new Request<>(work);
        try {
            combiner.submit(request);
        } catch (BusyException e) {
            request.answer.completeExceptionally(e);
        }
        return request.answer;
    }

    @Override
    public <T> T write(Work<T> work) {
        try {
            return submit(work).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Override
    public <T> T read(Work<T> work) {
        return readWith(clock, work);
    }

    private <T> T readWith(LeaseClock clock, Work<T> work) {
        try (Connection connection = readers.getConnection()) {
            Transaction transaction = new Transaction(connection, Engine.SQLITE, clock, Transaction.statements());
            try {
                return work.in(transaction);
            } finally {
                transaction.closeStatements();
                connection.rollback();
            }
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    @Override
    public void close() {
        combiner.close();
        writer.close();
        readers.close();
        lock.close();
    }

    private void writeBatch(List<Request<?>> batch) {
        long start = System.nanoTime();
        List<Request<?>> left = new ArrayList<>(batch);
        while (!left.isEmpty()) {
            left = writeOnce(left);
        }
        observer.combined(batch.size());
        observer.took("write", System.nanoTime() - start);
    }

    /** Writes these in one commit and returns those that must run again because another one ended the transaction. */
    private List<Request<?>> writeOnce(List<Request<?>> batch) {
        try {
            writer.execute(writer.begin);
            for (Request<?> request : batch) {
                if (!request.runIn(writer)) {
                    writer.abandon();
                    batch.forEach(Request::undone);
                    return batch.stream().filter(other -> other != request).toList();
                }
            }
            writer.execute(writer.commit);
        } catch (SQLException e) {
            writer.abandon();
            batch.forEach(Request::undone);
            StoreException failure = explained(e);
            if (batch.size() > 1) {
                batch.forEach(request -> writeOnce(List.of(request)));
            } else {
                batch.getFirst().fail(failure);
            }
            return List.of();
        }
        batch.forEach(Request::committed);
        return List.of();
    }

    private static StoreException explained(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return new BusyException("the disk that holds the store is full; nothing was changed. Free some space", e);
        }
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return new BusyException("another process holds the store's file locked; nothing was changed", e);
        }
        if (code == SQLiteErrorCode.SQLITE_IOERR.code || code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            return new BusyException("the disk that holds the store does not answer: " + e.getMessage(), e);
        }
        return new StoreException("the store refused a statement: " + e.getMessage(), e);
    }

    /** The one writing connection with its statements. */
    private final class Writer {
        private Connection connection;
        private Map<Sql, PreparedStatement> prepared = Transaction.statements();
        private PreparedStatement begin;
        private PreparedStatement commit;
        private PreparedStatement rollback;
        private PreparedStatement savepoint;
        private PreparedStatement release;
        private PreparedStatement rollbackToSavepoint;

        Writer(Connection connection) throws SQLException {
            this.connection = connection;
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            commit = connection.prepareStatement("COMMIT");
            rollback = connection.prepareStatement("ROLLBACK");
            savepoint = connection.prepareStatement("SAVEPOINT one");
            release = connection.prepareStatement("RELEASE one");
            rollbackToSavepoint = connection.prepareStatement("ROLLBACK TO one");
        }

        void execute(PreparedStatement statement) throws SQLException {
            statement.executeUpdate();
        }

        /** Ends the transaction whatever state it is in; a connection that cannot do that is replaced. */
        void abandon() {
            try {
                execute(rollback);
            } catch (SQLException _) {
                // SQLite had ended it already, or the connection is broken: a new one is sure to be clean
                try {
                    connection.close();
                    writer = new Writer(source.getConnection());
                } catch (SQLException _) {
                    // the next batch meets the same trouble and tells its callers
                }
            }
        }

        void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw explained(e);
            }
        }
    }

    private final class Request<T> {
        private final Work<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @org.jspecify.annotations.Nullable Transaction transaction;
        private @org.jspecify.annotations.Nullable T result;
        private @org.jspecify.annotations.Nullable RuntimeException failure;

        Request(Work<T> work) {
            this.work = work;
        }

        /** Runs in a savepoint; false when an error has ended the whole transaction. */
        boolean runIn(Writer writer) throws SQLException {
            failure = null;
            transaction = new Transaction(writer.connection, Engine.SQLITE, clock, writer.prepared);
            writer.execute(writer.savepoint);
            try {
                result = work.in(transaction);
            } catch (SQLException e) {
                failure = explained(e);
            } catch (RuntimeException e) {
                failure = e;
            }
            try {
                if (failure != null) {
                    writer.execute(writer.rollbackToSavepoint);
                }
                writer.execute(writer.release);
                return true;
            } catch (SQLException e) {
                RuntimeException reason = failure == null ? explained(e) : failure;
                undone();
                fail(reason);
                return false;
            }
        }

        void undone() {
            if (transaction != null) {
                transaction.rolledBack();
                transaction = null;
            }
        }

        void fail(RuntimeException reason) {
            answer.completeExceptionally(reason);
        }

        void committed() {
            Transaction done = transaction;
            if (failure != null) {
                undone();
                answer.completeExceptionally(failure);
            } else {
                if (done != null) {
                    done.committed();
                }
                answer.complete(result);
            }
        }
    }
}
