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
 * Detects at startup whether a pooler assigns our transactions to whatever session is free (PgBouncer's {@code
 * pool_mode = transaction}). Anything tied to a session then breaks: settings, prepared statements, LISTEN. If the
 * pooler is meant to do so, PostgreSQL's own address is configured as well, and every transaction begins with a {@link
 * TransactionStart}.
 *
 * <ol>
 *   <li>A pooler makes up the process id that it reports to a client; a server reports its real one. If the reported id
 *       is the real one, there is no pooler, and nothing more to check.
 *   <li>Otherwise two connections are used in the order A B B A. If each has its own session, each keeps its own
 *       process. A pooler that reuses the most recent session gives both the same process; one that rotates sessions
 *       changes the process of one of them.
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

    /** @throws SQLException if sessions are shared, saying what to do */
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
                        "a pooler gives each transaction whatever session is free, and the broker needs dedicated"
                                + " sessions. " + WHAT_TO_DO,
                        REJECTED);
            }
        }
    }

    /** @param processes the process ids in the order A B B A, repeated */
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
            statement.unwrap(PGStatement.class).setPrepareThreshold(0); // its name could clash in a shared session
            try (ResultSet process = statement.executeQuery("SELECT pg_backend_pid()")) {
                process.next();
                return process.getLong(1);
            }
        }
    }
}
