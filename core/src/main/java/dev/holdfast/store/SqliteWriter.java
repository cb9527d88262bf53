package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQLite's one writing connection, whose commits all waiting callers share.
 *
 * <p>Each piece of work runs in a savepoint of the shared transaction, so that its failure does not affect the others.
 * An error can also end the whole transaction, as a full disk does; then the work that caused it gets the error, and
 * the rest runs again in a new transaction.
 */
final class SqliteWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
    private static final int CAPACITY = 20_000;
    private static final int LARGEST_BATCH = 512;

    /** Pages in the log before they are moved to the file: 16 MB. By then most have been written several times. */
    private static final String CHECKPOINT = "PRAGMA wal_autocheckpoint = 4000";

    /** Otherwise SQLite writes the undo log of a large batch's savepoints to a file. It has only pages that they change. */
    private static final String UNDO_LOG = "PRAGMA temp_store = MEMORY";

    /** Postpones everything that would expire or end; a trigger in the schema knows what that is. */
    private static final Sql LENGTHEN = Sql.of("INSERT INTO slept (micros) VALUES (:slept)");

    private final DataSource source;
    private final LeaseClock clock;
    private final Supplier<StoreObserver> observer;
    private final Combiner<Request<?>> combiner;
    private Session session;
    private volatile @Nullable Thread writing;

    SqliteWriter(DataSource source, LeaseClock clock, Supplier<StoreObserver> observer) throws SQLException {
        this.source = source;
        this.clock = clock;
        this.observer = observer;
        session = new Session(source.getConnection());
        // SQLite works inside the call, so on a virtual thread it would block other virtual threads
        ExecutorService thread = Executors.newCachedThreadPool(
                Thread.ofPlatform().name("holdfast-sqlite-writer").daemon().factory());
        combiner = new Combiner<>(thread, CAPACITY, LARGEST_BATCH, _ -> List.of(), List.of(this::write));
    }

    /** @param callers how many callers this work serves */
    <T extends @Nullable Object> CompletableFuture<T> submit(int callers, Work<T> work) {
        Request<T> request = new Request<>(callers, work);
        try {
            combiner.submit(request);
        } catch (BusyException e) {
            request.answer.completeExceptionally(e);
        }
        return request.answer;
    }

    /** Writes what is still queued, then closes the file. */
    @Override
    public void close() {
        combiner.close();
        session.close();
    }

    boolean isWriting() {
        return Thread.currentThread().equals(writing);
    }

    private void write(List<Request<?>> batch) {
        writing = Thread.currentThread();
        try {
            writeAll(batch);
        } finally {
            writing = null;
        }
    }

    private void writeAll(List<Request<?>> batch) {
        long behind = clock.behind();
        if (behind > 0) {
            catchUp(behind);
        }
        long start = System.nanoTime();
        List<Request<?>> left = new ArrayList<>(batch);
        while (!left.isEmpty()) {
            left = writeOnce(left);
        }
        observer.get()
                .combined(batch.stream().mapToInt(request -> request.callers).sum());
        observer.get().took("write", System.nanoTime() - start);
    }

    /**
     * Time that the machine slept counts for nobody: all leases are extended by it, then the clock is set forward. A
     * crash in between does no harm: the clock then starts from the wall clock.
     */
    private void catchUp(long micros) {
        Duration slept = Duration.ofNanos(micros * 1_000);
        try {
            session.begin.executeUpdate();
            Transaction transaction = new Transaction(session.connection, Engine.SQLITE, clock, session.prepared, 0);
            transaction.update(LENGTHEN, p -> p.number("slept", micros));
            session.commit.executeUpdate();
        } catch (SQLException e) {
            abandon();
            LOG.warn("cannot extend leases by the {} that the machine slept; will retry: {}", slept, e.getMessage());
            return;
        }
        clock.setForward(micros);
        LOG.info("the machine slept, or its clock was set forward, by {}: leases continue where they left off", slept);
    }

    /**
     * Writes these in one commit, and returns those that must run again because another request ended the transaction.
     */
    private List<Request<?>> writeOnce(List<Request<?>> batch) {
        try {
            session.begin.executeUpdate();
            for (Request<?> request : batch) {
                if (!request.runIn(session)) {
                    abandon();
                    batch.forEach(Request::undone);
                    return batch.stream().filter(other -> other != request).toList();
                }
            }
            session.commit.executeUpdate();
        } catch (SQLException e) {
            abandon();
            batch.forEach(Request::undone);
            if (batch.size() > 1) {
                batch.forEach(request -> writeOnce(List.of(request)));
            } else {
                batch.getFirst().answer.completeExceptionally(SqliteStore.explained(e));
            }
            return List.of();
        }
        Transaction.committedTogether(batch.stream()
                .filter(request -> request.failure == null)
                .flatMap(request -> Stream.ofNullable(request.transaction))
                .toList());
        batch.forEach(Request::answer);
        return List.of();
    }

    /** Ends the transaction whatever its state; a connection that cannot do that is replaced. */
    private void abandon() {
        try {
            session.rollback.executeUpdate();
        } catch (SQLException _) {
            // SQLite had already ended it, or the connection is broken; a new connection is certainly clean
            try {
                session.connection.close();
                session = new Session(source.getConnection());
            } catch (SQLException _) {
                // the next batch hits the same problem and reports it to its callers
            }
        }
    }

    /** The connection with its statements. */
    private static final class Session {
        private final Connection connection;
        private final KeptStatements prepared;
        private final PreparedStatement begin;
        private final PreparedStatement commit;
        private final PreparedStatement rollback;
        private final PreparedStatement savepoint;
        private final PreparedStatement release;
        private final PreparedStatement rollbackToSavepoint;

        Session(Connection connection) throws SQLException {
            this.connection = connection;
            prepared = new KeptStatements(connection, Engine.SQLITE);
            try (Statement settings = connection.createStatement()) {
                settings.execute(CHECKPOINT);
                settings.execute(UNDO_LOG);
            }
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            commit = connection.prepareStatement("COMMIT");
            rollback = connection.prepareStatement("ROLLBACK");
            savepoint = connection.prepareStatement("SAVEPOINT one");
            release = connection.prepareStatement("RELEASE one");
            rollbackToSavepoint = connection.prepareStatement("ROLLBACK TO one");
        }

        void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw SqliteStore.explained(e);
            }
        }
    }

    private final class Request<T extends @Nullable Object> {
        private final int callers;
        private final Work<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @Nullable Transaction transaction;
        private @Nullable T result;
        private @Nullable RuntimeException failure;

        Request(int callers, Work<T> work) {
            this.callers = callers;
            this.work = work;
        }

        /** Runs in a savepoint; returns false if an error has ended the whole transaction. */
        boolean runIn(Session session) throws SQLException {
            failure = null;
            transaction = new Transaction(session.connection, Engine.SQLITE, clock, session.prepared, 0);
            session.savepoint.executeUpdate();
            try {
                result = work.in(transaction);
            } catch (SQLException e) {
                failure = SqliteStore.explained(e);
            } catch (RuntimeException e) {
                failure = e;
            } catch (Error e) {
                failure = new StoreException("a change failed: " + e, e); // the writer must go on for the others
            }
            try {
                if (failure != null) {
                    session.rollbackToSavepoint.executeUpdate();
                }
                session.release.executeUpdate();
                return true;
            } catch (SQLException e) {
                answer.completeExceptionally(failure == null ? SqliteStore.explained(e) : failure);
                return false;
            }
        }

        void undone() {
            if (transaction != null) {
                transaction.rolledBack();
                transaction = null;
            }
        }

        void answer() {
            if (failure == null) {
                answer.complete(result);
            } else {
                undone();
                answer.completeExceptionally(failure);
            }
        }
    }
}
