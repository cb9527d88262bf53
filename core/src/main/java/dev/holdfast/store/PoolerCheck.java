package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Finds out, at a start, whether a pooler hands our transactions to whatever session is free (PgBouncer's
 * {@code pool_mode = transaction}). Nothing works then that lives in a session: settings, prepared statements, LISTEN. Where it
 * is meant to do so, PostgreSQL's own address is given as well, and every transaction begins with a {@link TransactionStart}.
 *
 * <ol>
 *   <li>A pooler makes up the process number that it tells a client; a server tells that of its own process. If they are the
 *       same, nothing stands in between, and there is nothing more to find out.
 *   <li>Two connections are used in turn, A B B A. With a session each, each has a process of its own all the time. A
 *       pooler that gives the session used last gives both the same; one that goes round gives one of them another.
 * </ol>
 */
final class PoolerCheck {
    private static final int ROUNDS = 3;
    private static final String REJECTED = "08004";

    static final String WHAT_TO_DO =
            "If there is a pooler in between, give the broker PostgreSQL's own address, instead of the pooler's or as well"
                    + " (store.direct_database); or let the pooler keep one session per connection and ignore what it does"
                    + " not know (PgBouncer: pool_mode = session, ignore_startup_parameters = extra_float_digits,options)";

    private PoolerCheck() {}

    /** @throws SQLException when sessions are shared, saying what to do */
    static void refuseSharedSessions(PostgresConnections connections) throws SQLException {
        try (Connection first = connections.open();
                Connection second = connections.open()) {
            if (driverProcess(first) == process(first)) {
                return;
            }
            List<Connection> inTurn = List.of(first, second, second, first);
            List<Long> processes = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (Connection connection : inTurn) {
                    processes.add(process(connection));
                }
            }
            if (shared(processes)) {
                throw new SQLException(
                        "a pooler gives each transaction whatever session is free, and the broker needs sessions of its"
                                + " own. " + WHAT_TO_DO,
                        REJECTED);
            }
        }
    }

    /** By turns of A B B A. */
    static boolean shared(List<Long> processes) {
        long first = processes.get(0);
        long second = processes.get(1);
        for (int i = 0; i < processes.size(); i++) {
            boolean ofFirst = i % 4 == 0 || i % 4 == 3;
            if (processes.get(i) != (ofFirst ? first : second)) {
                return true;
            }
        }
        return first == second;
    }

    private static long driverProcess(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    private static long process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0); // its name would be the other's as well
            try (ResultSet process = statement.executeQuery("SELECT pg_backend_pid()")) {
                process.next();
                return process.getLong(1);
            }
        }
    }
}
