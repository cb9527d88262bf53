package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * PostgreSQL statements queued for sending; they go in order, in one round trip. Each sees what the earlier ones
 * changed or locked, as if it had been sent alone.
 */
final class StatementQueue {
    /** Receives a statement's result. */
    interface Taker {
        void take(ResultSet results) throws SQLException;

        /** The statement changed this many rows. */
        default void changed(int rows) {}

        /** For a change whose row count nobody needs. */
        Taker NOTHING = _ -> {};
    }

    private static final int MAX = 64;

    /** @param brief its result is one short row at most, and what follows it need not wait for that */
    private record Statement(Sql sql, Parameters parameters, Taker taker, boolean brief) {}

    private List<Statement> statements = new ArrayList<>(4);

    void add(Sql sql, Parameters parameters, Taker taker) {
        statements.add(new Statement(sql, parameters, taker, false));
    }

    /** As {@link #add}, for a result of one short row at most that even the commit need not wait for. */
    void addBrief(Sql sql, Parameters parameters, Taker taker) {
        statements.add(new Statement(sql, parameters, taker, true));
    }

    boolean isEmpty() {
        return statements.isEmpty();
    }

    boolean isOneBrief() {
        return statements.size() == 1 && statements.getFirst().brief;
    }

    /**
     * Whether anything large must wait: if we keep writing while the server is blocked writing a large result to us,
     * both wait for ever.
     */
    boolean isFull() {
        return statements.size() >= MAX || !statements.stream().allMatch(Statement::brief);
    }

    void send(Connection connection) throws SQLException {
        if (statements.isEmpty()) {
            return;
        }
        List<Statement> all = statements;
        statements = new ArrayList<>(4);
        String text = all.stream().map(one -> one.sql.text(Engine.POSTGRES)).collect(Collectors.joining(";\n"));
        try (PreparedStatement together = connection.prepareStatement(text)) {
            int before = 0;
            for (Statement one : all) {
                one.parameters.bind(together, before);
                before += one.sql.parameters();
            }
            boolean results = together.execute();
            for (Statement one : all) {
                if (results) {
                    try (ResultSet rows = together.getResultSet()) {
                        one.taker.take(rows);
                    }
                } else {
                    one.taker.changed(together.getUpdateCount());
                }
                results = together.getMoreResults();
            }
        }
    }
}
