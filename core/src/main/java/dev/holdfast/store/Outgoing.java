package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Statements for PostgreSQL that wait to be sent: they go in their order, in one round trip. Each sees what those before
 * it have changed or locked, as if it had been sent alone.
 */
final class Outgoing {
    /** Takes what a statement answers. */
    interface Taker {
        void take(ResultSet results) throws SQLException;

        /** It was a change of so many rows. */
        default void changed(int rows) {}

        /** For a change, whose count nobody wants to know. */
        Taker NOTHING = _ -> {};
    }

    private static final int MOST = 64;

    private record Statement(Sql sql, Parameters parameters, Taker taker) {}

    private List<Statement> statements = new ArrayList<>(4);

    void add(Sql sql, Parameters parameters, Taker taker) {
        statements.add(new Statement(sql, parameters, taker));
    }

    boolean isEmpty() {
        return statements.isEmpty();
    }

    /**
     * Whether nothing may be added that could be large: who writes while the server, too, waits for a reader of large
     * answers, waits for ever.
     */
    boolean isFull() {
        return statements.size() >= MOST || statements.stream().anyMatch(one -> !one.taker.equals(Taker.NOTHING));
    }

    void send(Connection connection) throws SQLException {
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
