package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open transaction: statements with named parameters, and actions to run after it commits. */
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

    /** Sets a statement's parameters for one of several elements. */
    @FunctionalInterface
    public interface BinderOf<T> {
        void bind(Parameters parameters, T one) throws SQLException;
    }

    /** For more elements than this, a JDBC batch is faster than separate statements. */
    private static final int FEW = 3;

    private static final Sql COMMIT = Sql.of("COMMIT");

    private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

    private final Connection connection;
    private final Engine engine;
    private final KeptStatements kept;
    private final LeaseClock clock;
    private final long leastGeneration;
    private final StatementQueue outgoing = new StatementQueue();
    private @Nullable Pending<Long> time;
    private List<Runnable> afterCommit = new ArrayList<>(2);
    private List<Runnable> afterRollback = new ArrayList<>(0);
    private @Nullable Runnable onceAfterCommit;
    private boolean sent;

    /** @param kept the connection's own statements */
    Transaction(Connection connection, Engine engine, LeaseClock clock, KeptStatements kept, long leastGeneration) {
        this.connection = connection;
        this.engine = engine;
        this.clock = clock;
        this.kept = kept;
        this.leastGeneration = leastGeneration;
    }

    public Engine engine() {
        return engine;
    }

    /**
     * The lease clock's time in microseconds since 1970. On PostgreSQL, read it only after taking the row lock; the
     * time stays the same until the next statement that may have to wait for a lock.
     */
    public long now() throws SQLException {
        return askNow().get();
    }

    /**
     * As {@link #now}, sent together with the query before it: after a locking query, it is the time at which the lock
     * was granted.
     */
    public Pending<Long> askNow() throws SQLException {
        Pending<Long> known = time;
        if (known == null) {
            known = clock.micros(this);
            time = engine == Engine.POSTGRES ? known : null; // on SQLite, reading it is free
        }
        return known;
    }

    /** The last statement has read the clock itself, after whatever it waited for. */
    public void clockWasRead(long micros) {
        time = () -> micros;
    }

    /** The lowest generation that a grant may have; 0 unless the database has failed over. */
    public long leastGeneration() {
        return leastGeneration;
    }

    public <T> List<T> list(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        return ask(sql, binder, reader).get();
    }

    public <T> Optional<T> first(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        return askFirst(sql, binder, reader).get();
    }

    /**
     * As {@link #list}, but deferred: on PostgreSQL the query is sent with the next statement whose result is needed,
     * in one round trip. So ask for everything you need before reading any result.
     */
    public <T> Pending<List<T>> ask(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        return ask(sql, binder, false, (results, row, pending) -> {
            List<T> rows = new ArrayList<>();
            while (results.next()) {
                rows.add(reader.read(row));
            }
            pending.answered(rows);
        });
    }

    /** As {@link #ask}, for one row. */
    public <T> Pending<Optional<T>> askFirst(Sql sql, Binder binder, Reader<T> reader) throws SQLException {
        return ask(
                sql,
                binder,
                false,
                (results, row, pending) ->
                        pending.answered(results.next() ? Optional.of(reader.read(row)) : Optional.empty()));
    }

    /**
     * As {@link #askFirst}, for the last statement of a transaction that commits whatever it returns: COMMIT travels
     * with it, unless the result is read before. It returns one short row at most.
     *
     * @param then makes the result of the row; called as soon as it is there
     */
    public <T, R> Pending<R> askLast(Sql sql, Binder binder, Reader<T> reader, Function<Optional<T>, R> then)
            throws SQLException {
        return ask(
                sql,
                binder,
                true,
                (results, row, pending) -> pending.answered(
                        then.apply(results.next() ? Optional.of(reader.read(row)) : Optional.empty())));
    }

    private interface Answering<T> {
        void answer(ResultSet results, Row row, Question<T> pending) throws SQLException;
    }

    /** A query, and later its result. */
    private final class Question<T> implements Pending<T> {
        private @Nullable T answer;

        void answered(T found) {
            answer = found;
        }

        @Override
        public T get() throws SQLException {
            if (answer == null) {
                send();
            }
            T found = answer;
            if (found == null) {
                throw new IllegalStateException("asked in a transaction that has failed");
            }
            return found;
        }
    }

    private <T> Pending<T> ask(Sql sql, Binder binder, boolean brief, Answering<T> answering) throws SQLException {
        Question<T> pending = new Question<>();
        Parameters parameters = parameters(sql, binder);
        if (sql.mayWait()) {
            time = null;
        }
        switch (engine) {
            case POSTGRES -> {
                StatementQueue.Taker taker = results -> answering.answer(results, Row.ofPostgres(results), pending);
                if (brief) {
                    outgoing.addBrief(sql, parameters, taker);
                } else {
                    outgoing.add(sql, parameters, taker);
                }
            }
            case SQLITE -> {
                KeptStatements.Kept ready = kept.of(sql);
                parameters.bind(ready.statement(), 0);
                try (ResultSet results = ready.statement().executeQuery()) {
                    answering.answer(results, Row.ofSqlite(results, ready.positions()), pending);
                }
            }
        }
        return pending;
    }

    /** Runs a change at once, and returns the number of rows. */
    public int update(Sql sql, Binder binder) throws SQLException {
        time = null;
        if (engine == Engine.SQLITE) {
            PreparedStatement statement = kept.of(sql).statement();
            parameters(sql, binder).bind(statement, 0);
            return statement.executeUpdate();
        }
        Count count = new Count();
        outgoing.add(sql, parameters(sql, binder), count);
        send();
        return count.rows;
    }

    private static final class Count implements StatementQueue.Taker {
        private int rows;

        @Override
        public void take(ResultSet results) {
            // nobody needs what it RETURNs
        }

        @Override
        public void changed(int changed) {
            rows = changed;
        }
    }

    /**
     * Makes a change. On PostgreSQL it is sent with the next statement whose result is needed, or before the commit;
     * later queries see it.
     */
    public void change(Sql sql, Binder binder) throws SQLException {
        switch (engine) {
            case POSTGRES -> {
                if (outgoing.isFull()) {
                    send();
                }
                outgoing.addBrief(sql, parameters(sql, binder), StatementQueue.Taker.NOTHING);
            }
            case SQLITE -> update(sql, binder);
        }
    }

    /** Runs the same statement for each of these, sent in one go. */
    public <T> void updateAll(Sql sql, Collection<T> all, BinderOf<T> binder) throws SQLException {
        if (all.size() <= FEW) {
            for (T one : all) {
                change(sql, p -> binder.bind(p, one));
            }
            return;
        }
        send();
        sent = true;
        PreparedStatement statement = kept.of(sql).statement();
        for (T one : all) {
            parameters(sql, p -> binder.bind(p, one)).bind(statement, 0);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    /**
     * Sends what is queued and commits on PostgreSQL, in one round trip unless a queued query's result is still to be
     * read: that may fail, and must do so before the commit. A brief statement that is all there is commits itself.
     *
     * @param begun whether the transaction was begun before its first statement
     */
    void commit(boolean begun) throws SQLException {
        if (!begun && !sent && outgoing.isOneBrief()) {
            connection.setAutoCommit(true);
            send();
            return;
        }
        if (!outgoing.isEmpty() && !outgoing.isFull()) {
            outgoing.addBrief(COMMIT, parameters(COMMIT, _ -> {}), StatementQueue.Taker.NOTHING);
        }
        send();
        connection.commit(); // sends nothing if the transaction is over
    }

    /** Sends what is queued. */
    void send() throws SQLException {
        sent |= !outgoing.isEmpty();
        outgoing.send(connection);
    }

    /** Runs after this transaction is durable, in the order given; never if it is rolled back. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** As {@link #afterCommit}, after the other actions, and once for all transactions that share the commit. */
    public void onceAfterCommit(Runnable action) {
        onceAfterCommit = action;
    }

    /** Runs if this transaction does not commit. */
    public void afterRollback(Runnable action) {
        afterRollback.add(action);
    }

    void closeStatements() throws SQLException {
        kept.close();
    }

    void committed() {
        committedTogether(List.of(this));
    }

    /** Runs the actions of transactions that shared a commit. */
    static void committedTogether(List<Transaction> transactions) {
        Set<Runnable> once = new LinkedHashSet<>(2);
        for (Transaction transaction : transactions) {
            List<Runnable> actions = transaction.afterCommit;
            transaction.afterCommit = new ArrayList<>(0);
            transaction.afterRollback = new ArrayList<>(0);
            run(actions);
            if (transaction.onceAfterCommit != null) {
                once.add(transaction.onceAfterCommit);
            }
        }
        run(once);
    }

    void rolledBack() {
        List<Runnable> actions = afterRollback;
        afterCommit = new ArrayList<>(0);
        afterRollback = new ArrayList<>(0);
        run(actions);
    }

    /** The transaction is over either way, so an error in one of these must not pass for its failure. */
    private static void run(Collection<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("after a transaction: {}", e.getMessage(), e);
            }
        }
    }

    private Parameters parameters(Sql sql, Binder binder) throws SQLException {
        Parameters parameters = new Parameters(sql, engine);
        binder.bind(parameters);
        return parameters;
    }
}
