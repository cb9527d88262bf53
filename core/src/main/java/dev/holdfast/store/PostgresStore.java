package dev.holdfast.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A store on a PostgreSQL server, which several brokers may share. Work runs in short READ COMMITTED transactions on
 * pooled connections, with bounded lock, statement and socket timeouts. What was certainly rolled back is tried again;
 * what may have been committed when the connection broke is run again on a new one before anybody is answered.
 */
public final class PostgresStore implements Store {
    private static final int ATTEMPTS = 8;
    private static final Duration OUTAGE_PATIENCE = Duration.ofSeconds(5);

    /** The order matters: a lock wait ends before the statement, the statement before the socket. */
    private static final String SESSION_SETTINGS = """
            SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SET synchronous_commit = on;
            SET lock_timeout = '2s';
            SET statement_timeout = '8s';
            SET idle_in_transaction_session_timeout = '20s';
            SET jit = off;
            """;

    private static final String SOCKET_TIMEOUT_SECONDS = "12";

    private final PostgresAddress address;
    private final HikariDataSource pool;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LeaseClock clock = LeaseClock.database();
    private volatile StoreObserver observer = StoreObserver.NONE;
    private final int origin = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);

    /** Opens the store at {@code postgres://user:password@host:port/database} or a {@code jdbc:postgresql:} address. */
    public static PostgresStore open(String address) {
        return open(address, 10);
    }

    public static PostgresStore open(String address, int connections) {
        return new PostgresStore(PostgresAddress.parse(address), connections);
    }

    private PostgresStore(PostgresAddress address, int connections) {
        this.address = address;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(address.jdbcUrl());
        config.setDataSourceProperties(properties());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setPoolName("holdfast-postgres");
        config.setConnectionTimeout(OUTAGE_PATIENCE.toMillis());
        config.setConnectionInitSql(SESSION_SETTINGS);
        try {
            pool = new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            throw new StoreException(
                    "cannot reach PostgreSQL at " + address + ": "
                            + (e.getCause() == null
                                    ? e.getMessage()
                                    : e.getCause().getMessage()),
                    e);
        }
        try {
            Migrations.run(pool, Engine.POSTGRES);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(address.credentials());
        properties.setProperty("ApplicationName", "holdfast");
        properties.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("prepareThreshold", "1");
        return properties;
    }

    /** A connection outside the pool, in auto-commit, with the same settings and further ones; for writers and listeners. */
    public Connection connect(String furtherSettings) throws SQLException {
        Connection connection = DriverManager.getConnection(address.jdbcUrl(), properties());
        try (Statement statement = connection.createStatement()) {
            statement.execute(SESSION_SETTINGS + furtherSettings);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Engine engine() {
        return Engine.POSTGRES;
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
        return CompletableFuture.supplyAsync(() -> write(work), threads);
    }

    @Override
    public <T> T write(Work<T> work) {
        long giveUp = System.nanoTime() + OUTAGE_PATIENCE.toNanos();
        for (int attempt = 1; ; attempt++) {
            @Nullable Transaction transaction = null;
            try (Connection connection = pool.getConnection()) {
                transaction = new Transaction(connection, Engine.POSTGRES, clock, Transaction.statements());
                long start = System.nanoTime();
                T result = runAndCommit(work, transaction, connection);
                observer.took("write", System.nanoTime() - start);
                transaction.committed();
                return result;
            } catch (SQLException e) {
                if (transaction != null) {
                    transaction.rolledBack();
                }
                switch (Failure.of(e)) {
                    case REFUSED -> throw new StoreException("PostgreSQL refused a statement: " + e.getMessage(), e);
                    case ROLLED_BACK -> {
                        if (attempt >= ATTEMPTS) {
                            throw new BusyException("PostgreSQL is too contended: " + e.getMessage(), e);
                        }
                    }
                    case UNKNOWN_OUTCOME -> {
                        if (System.nanoTime() > giveUp || Thread.currentThread().isInterrupted()) {
                            throw new BusyException(Failure.outage(e), e);
                        }
                    }
                }
                Failure.pauseAfter(attempt);
            }
        }
    }

    private static <T> T runAndCommit(Work<T> work, Transaction transaction, Connection connection)
            throws SQLException {
        try {
            T result = work.in(transaction);
            connection.commit();
            return result;
        } catch (RuntimeException e) {
            connection.rollback();
            transaction.rolledBack();
            throw e;
        } finally {
            transaction.closeStatements();
        }
    }

    @Override
    public <T> T read(Work<T> work) {
        return write(work);
    }

    @Override
    public void close() {
        threads.close();
        pool.close();
    }
}
