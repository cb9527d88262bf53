package dev.holdfast.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * The advisory lock that shows whether one of our sessions or transactions is over; see {@link EarlierRuns}.
 *
 * @param store distinguishes it from other stores' locks
 * @param number for a session, the process id, which is unique among live sessions; for a transaction, a negative
 *     number
 */
record RunLock(int store, int number) {
    /** Free of cost: the driver learned the process id when it connected. */
    static RunLock ofSession(int store, Connection connection) throws SQLException {
        return new RunLock(store, connection.unwrap(PGConnection.class).getBackendPID());
    }

    /** The SELECT expression that takes the lock until the session ends. */
    String heldBySession() {
        return "pg_advisory_lock(" + store + ", " + number + ")";
    }

    /** The SELECT expression that takes the lock until the transaction ends. */
    String heldByTransaction() {
        return "pg_advisory_xact_lock(" + store + ", " + number + ")";
    }

    /** SQL that terminates the lock's holder without waiting for it to end. */
    String endHolder() {
        return """
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND classid = %d AND objid = %d
                """.formatted(Integer.toUnsignedLong(store), Integer.toUnsignedLong(number));
    }
}
