package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The start of a transaction where a pooler assigns it whatever session is free. What an earlier transaction set or saw
 * says nothing about this one: the session may be a different one, and the server behind the pooler may have failed
 * over while our connection stayed open. So the settings are applied to this transaction only, and the server is
 * checked in it before anything is granted; until it ends, the transaction stays in that session, on that server.
 */
final class TransactionStart {
    private static final String REJECTED = "08004";
    private static final String STANDBY = "0A000";

    private final Failovers failovers;
    private final int store;
    private final AtomicInteger last = new AtomicInteger();

    /** @param store identifies the store in its transactions' marks */
    TransactionStart(Failovers failovers, int store) {
        this.failovers = failovers;
        this.store = store;
    }

    /**
     * Takes one round trip, together with the BEGIN.
     *
     * @return the mark that the transaction holds until it is over
     * @throws SQLException as if the connection had failed, if the server is read-only or not the known one
     */
    RunLock in(Connection connection, SessionSettings settings) throws SQLException {
        RunLock mark = new RunLock(store, last.updateAndGet(number -> number > Integer.MIN_VALUE ? number - 1 : -1));
        connection.setAutoCommit(false);
        if (!isKnown(connection, settings, mark)) {
            connection.rollback();
            failovers.notice();
            if (!isKnown(connection, settings, mark)) {
                connection.rollback();
                throw new SQLException("the server behind the pooler is a different one than a moment ago", REJECTED);
            }
        }
        return mark;
    }

    private boolean isKnown(Connection connection, SessionSettings settings, RunLock mark) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; SELECT " + Failovers.COLUMN
                    + ", " + settings.columnsThatSet() + ", " + mark.heldByTransaction());
            statement.getMoreResults();
            try (ResultSet shown = statement.getResultSet()) {
                shown.next();
                return failovers.known(shown);
            }
        } catch (SQLException e) {
            throw STANDBY.equals(e.getSQLState())
                    ? new SQLException(
                            "the server behind the pooler is a standby, which accepts no changes", REJECTED, e)
                    : e;
        }
    }
}
