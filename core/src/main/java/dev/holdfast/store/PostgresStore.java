package dev.holdfast.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on a PostgreSQL server, which several brokers may share. Work runs in short READ COMMITTED transactions on
 * pooled connections, with bounded lock, statement and socket timeouts. A transaction that was certainly rolled back is
 * retried. One that may have committed when its connection broke runs again on a new connection, once the first run is
 * over ({@link EarlierRuns}) and before anybody is answered.
 *
 * <p>A pooler may share sessions among transactions if PostgreSQL's own address is configured too. Every transaction
 * then begins with its own settings ({@link TransactionStart}), and only what needs a session connects to PostgreSQL
 * directly.
 */
public final class PostgresStore extends Store {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    private static final int ATTEMPTS = 8;
    private static final Duration OUTAGE_PATIENCE = Duration.ofSeconds(5);

    /**
     * How long a caller waits while others use the connections; if it retries instead, it loses its position in the
     * queue.
     */
    private static final Duration FULL_PATIENCE = Duration.ofSeconds(10);

    /** Connections in addition to those for callers. */
    private static final int FOR_CHORES = 3;

    private static final int FOR_IDENTITY = 1;

    private final PostgresSessions sessions;
    private final HikariDataSource pool;
    private final ConnectionSlots slots;
    /** The error that broke the last connection; null if connections work. */
    private volatile @Nullable SQLException outage;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LeaseClock clock = LeaseClock.database();

    /** Opens the store at {@code postgres://user:password@host:port/database} or a {@code jdbc:postgresql:} address. */
    public static PostgresStore open(String address) {
        return open(address, 10);
    }

    /** @param connections for callers; a few more are for the broker's own work */
    public static PostgresStore open(String address, int connections) {
        PostgresAddress place = PostgresAddress.parse(address);
        return new PostgresStore(place, place, connections, false);
    }

    /**
     * Opens the store through a pooler, which may assign each transaction whatever session is free.
     *
     * @param direct the database's own address, for what needs a session: migrations, failovers and LISTEN
     */
    public static PostgresStore openPooled(String pooler, String direct, int connections) {
        return new PostgresStore(PostgresAddress.parse(pooler), PostgresAddress.parse(direct), connections, true);
    }

    private PostgresStore(PostgresAddress address, PostgresAddress direct, int connections, boolean pooled) {
        super(Engine.POSTGRES);
        sessions = new PostgresSessions(address, direct, pooled, origin());
        slots = new ConnectionSlots(
                Map.of(Share.CALLS, connections, Share.CHORES, FOR_CHORES, Share.IDENTITY, FOR_IDENTITY),
                FULL_PATIENCE);
        HikariConfig config = new HikariConfig();
        config.setDataSource(sessions.with(SessionSettings.OURS));
        config.setMaximumPoolSize(connections + FOR_CHORES + FOR_IDENTITY);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setPoolName("holdfast-postgres");
        config.setConnectionTimeout(OUTAGE_PATIENCE.toMillis());
        try {
            pool = new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            throw UnreachableException.at(address, e.getCause() == null ? e : e.getCause());
        }
    }

    /** A connection outside the pool, with these settings, for {@link #use}. */
    public Connection connect(SessionSettings settings) throws SQLException {
        return sessions.with(settings).getConnection();
    }

    /** A dedicated session in auto-commit mode on the server itself, for listeners. */
    public Connection listen(SessionSettings settings) throws SQLException {
        return sessions.directlyWith(settings).listening().getConnection();
    }

    /** Statements to run on a connection. */
    @FunctionalInterface
    public interface Use<T> {
        T run() throws SQLException;
    }

    /**
     * Runs statements on a connection from {@link #connect} with the same settings; through a pooler they are one
     * transaction.
     */
    public <T> T use(Connection connection, SessionSettings settings, Use<T> use) throws SQLException {
        return use(connection, settings, new EarlierRuns(), use);
    }

    /**
     * As {@link #use(Connection, SessionSettings, Use)}, for a change that is run again if its outcome is unknown.
     *
     * @param earlier the same object for all its runs
     */
    public <T> T use(Connection connection, SessionSettings settings, EarlierRuns earlier, Use<T> use)
            throws SQLException {
        @Nullable RunLock running = null;
        boolean done = false;
        try {
            RunLock mark = sessions.begin(connection, settings);
            earlier.end(connection);
            running = mark;
            T result = use.run();
            if (sessions.pooled()) {
                connection.commit();
            }
            done = true;
            return result;
        } catch (SQLException e) {
            if (running != null && Failure.of(e) == Failure.UNKNOWN_OUTCOME) {
                earlier.add(running);
            }
            throw e;
        } finally {
            if (!done && sessions.pooled()) {
                rollback(connection);
            }
        }
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException _) {
            // the connection is broken, and its error has already been reported
        }
    }

    /**
     * The lowest generation that a grant may have; see {@link Failovers}. Call it only after opening the connection it
     * is used on.
     */
    public long leastGeneration() {
        return sessions.failovers().leastGeneration();
    }

    /**
     * The listener is called when the database is no longer the same one, after everybody was fenced out; it must be
     * quick.
     */
    public void onFailover(Runnable listener) {
        sessions.failovers().listen(listener);
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        Turn turn = Turn.current();
        return CompletableFuture.supplyAsync(() -> turn.call(() -> write(work)), threads);
    }

    @Override
    public <T> T write(Work<T> work) {
        return run(work, false);
    }

    /** @param reads it changes nothing, so each statement stands alone and there is nothing to commit */
    private <T> T run(Work<T> work, boolean reads) {
        List<Transaction> undecided = new ArrayList<>(0);
        try (ConnectionSlots.Place _ = place()) {
            return run(work, reads, undecided);
        } finally {
            // only now is their outcome known, or known to stay unknown: a waiter that was promised something checks
            // for itself
            undecided.forEach(Transaction::rolledBack);
        }
    }

    private ConnectionSlots.Place place() {
        try {
            return slots.take();
        } catch (BusyException e) {
            SQLException broken = outage;
            if (broken != null) { // the callers ahead are themselves waiting for the database
                throw Failure.outage(broken, false);
            }
            throw e;
        }
    }

    /** @param undecided collects the runs whose outcome is unknown */
    private <T> T run(Work<T> work, boolean reads, List<Transaction> undecided) {
        long giveUp = System.nanoTime() + OUTAGE_PATIENCE.toNanos();
        EarlierRuns earlier = new EarlierRuns();
        for (int attempt = 1; ; attempt++) {
            @Nullable RunLock running = null;
            @Nullable Transaction transaction = null;
            try (Connection connection = pool.getConnection()) {
                long began = System.nanoTime();
                RunLock mark = begin(connection, reads);
                earlier.end(connection);
                running = reads ? null : mark; // a run that changes nothing may finish late
                transaction = new Transaction(
                        connection,
                        Engine.POSTGRES,
                        clock,
                        new KeptStatements(connection, Engine.POSTGRES),
                        leastGeneration());
                boolean begun = sessions.pooled() || !undecided.isEmpty();
                T result = runAndCommit(work, transaction, connection, begun);
                long took = System.nanoTime() - began;
                transaction.committed();
                works();
                observer().took("write", took);
                return result;
            } catch (SQLException e) {
                Failure failure = Failure.of(e);
                if (transaction != null && failure == Failure.UNKNOWN_OUTCOME) {
                    undecided.add(transaction);
                    if (running != null) {
                        earlier.add(running);
                    }
                    observer().answerLost();
                } else if (transaction != null) {
                    transaction.rolledBack();
                }
                switch (failure) {
                    case REFUSED -> throw new StoreException("PostgreSQL refused a statement: " + e.getMessage(), e);
                    case ROLLED_BACK -> {
                        if (attempt >= ATTEMPTS) {
                            throw Failure.contention(e);
                        }
                    }
                    case UNKNOWN_OUTCOME -> {
                        broke(e);
                        if (System.nanoTime() > giveUp || Thread.currentThread().isInterrupted()) {
                            throw Failure.outage(e, !reads && !undecided.isEmpty());
                        }
                    }
                }
                Failure.pauseAfter(attempt);
            }
        }
    }

    private void broke(SQLException e) {
        if (outage == null) {
            // the pool only says that it has no connection
            LOG.warn(
                    "PostgreSQL does not answer: {}",
                    (e.getCause() instanceof SQLException why ? why : e).getMessage());
        }
        outage = e;
    }

    private void works() {
        if (outage != null) {
            outage = null;
            LOG.info("PostgreSQL answers again");
        }
    }

    private RunLock begin(Connection connection, boolean reads) throws SQLException {
        if (!sessions.pooled()) {
            connection.setAutoCommit(reads);
        }
        return sessions.begin(connection, SessionSettings.OURS);
    }

    /** @param begun whether the transaction has begun already */
    private static <T> T runAndCommit(Work<T> work, Transaction transaction, Connection connection, boolean begun)
            throws SQLException {
        try {
            T result = work.in(transaction);
            if (connection.getAutoCommit()) {
                transaction.send();
            } else {
                transaction.commit(begun);
            }
            return result;
        } catch (RuntimeException | Error e) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            transaction.rolledBack();
            throw e;
        } finally {
            transaction.closeStatements();
        }
    }

    @Override
    public <T> T read(Work<T> work) {
        return run(work, true);
    }

    @Override
    public void close() {
        threads.close();
        pool.close();
    }
}
