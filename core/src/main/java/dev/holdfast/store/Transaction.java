package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open transaction: statements with named parameters, and what is to happen once it has committed. */
public final class Transaction {
    /** Reads one row. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    /** Sets a statement's parameters. */
    @FunctionalInterface
    public interface Binder {
        void bind(Parameters parameters) throws SQLException;
    }

    /** Sets a statement's parameters for one of several. */
    @FunctionalInterface
    public interface BinderOf<T> {
        void bind(Parameters parameters, T one) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

    private final Connection connection;
    private final Engine engine;
    private final Map<Sql, PreparedStatement> prepared;
    private final LeaseClock clock;
    private final long leastGeneration;
    private List<Runnable> afterCommit = new ArrayList<>(2);
    private List<Runnable> afterRollback = new ArrayList<>(0);

    /** @param prepared the connection's own statements, kept as long as it lives */
    Transaction(
            Connection connection,
            Engine engine,
            LeaseClock clock,
            Map<Sql, PreparedStatement> prepared,
            long leastGeneration) {
        this.connection = connection;
        this.engine = engine;
        this.clock = clock;
        this.prepared = prepared;
        this.leastGeneration = leastGeneration;
    }

    static Map<Sql, PreparedStatement> statements() {
        return new HashMap<>();
    }

    public Engine engine() {
        return engine;
    }

    /** The lease clock's time in microseconds since 1970. On PostgreSQL read it only after the row lock is held. */
    public long now() throws SQLException {
        return clock.micros(this);
    }

    /** Whatever is granted has at least this generation; 0 unless a database has failed over. */
    public long leastGeneration() {
        return leastGeneration;
    }

    public <T> List<T> list(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet results = bound(sql, binder).executeQuery()) {
            Row row = new Row(results, engine);
            while (results.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    public <T> Optional<T> first(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        try (ResultSet results = bound(sql, binder).executeQuery()) {
            return results.next() ? Optional.of(reader.read(new Row(results, engine))) : Optional.empty();
        }
    }

    public int update(Sql sql, Binder binder) throws SQLException {
        return bound(sql, binder).executeUpdate();
    }

    /** The same statement for each of these, sent in one go. */
    public <T> void updateAll(Sql sql, Collection<T> all, BinderOf<T> binder) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        PreparedStatement statement = prepared(sql);
        for (T one : all) {
            binder.bind(new Parameters(statement, sql, engine), one);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    /** Runs once this transaction is durable, in the order given; never when it is rolled back. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** Runs if this transaction does not come to be. */
    public void afterRollback(Runnable action) {
        afterRollback.add(action);
    }

    void closeStatements() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    void committed() {
        List<Runnable> actions = afterCommit;
        afterCommit = new ArrayList<>(0);
        afterRollback = new ArrayList<>(0);
        run(actions);
    }

    void rolledBack() {
        List<Runnable> actions = afterRollback;
        afterCommit = new ArrayList<>(0);
        afterRollback = new ArrayList<>(0);
        run(actions);
    }

    /** The transaction is over, one way or the other: what one of these gets wrong must not be taken for its failure. */
    private static void run(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("after a transaction: {}", e.getMessage(), e);
            }
        }
    }

    private PreparedStatement bound(Sql sql, Binder binder) throws SQLException {
        PreparedStatement statement = prepared(sql);
        binder.bind(new Parameters(statement, sql, engine));
        return statement;
    }

    private PreparedStatement prepared(Sql sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql.text(engine));
            prepared.put(sql, statement);
        }
        return statement;
    }
}
