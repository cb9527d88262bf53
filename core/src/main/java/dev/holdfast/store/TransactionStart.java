package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a transaction begins with where a pooler gives it whatever session is free. What an earlier one has set or seen says
 * nothing about this one: the session may be another's, and the server behind the pooler may have failed over while our connection
 * stayed. So the settings are set for this transaction alone, and the server is looked at in it, before anything is granted;
 * until its end the transaction stays in that session, on that server.
 */
final class TransactionStart {
    private static final String REJECTED = "08004";
    private static final String STANDBY = "0A000";

    private final Failovers failovers;
    private final int store;
    private final AtomicInteger last = new AtomicInteger();

    /** @param store in the marks of its transactions */
    TransactionStart(Failovers failovers, int store) {
        this.failovers = failovers;
        this.store = store;
    }

    /**
     * In one round trip, with the BEGIN.
     *
     * @return held by the transaction until it is over
     * @throws SQLException as if the connection had not come about, when the server takes no changes or is not the known one
     */
    RunMark in(Connection connection, SessionSettings settings) throws SQLException {
        RunMark mark = new RunMark(store, last.updateAndGet(number -> number > Integer.MIN_VALUE ? number - 1 : -1));
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

    private boolean isKnown(Connection connection, SessionSettings settings, RunMark mark) throws SQLException {
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
                    ? new SQLException("the server behind the pooler is a standby, which takes no changes", REJECTED, e)
                    : e;
        }
    }
}
