package dev.holdfast.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * The advisory lock by which a session or transaction of ours is known to be over; see {@link EarlierRuns}.
 *
 * @param store tells it from those of other stores
 * @param number of the process, for a session: no two that live have the same; negative for a transaction
 */
record RunMark(int store, int number) {
    /** Costs nothing: the driver was told the number at the start. */
    static RunMark ofSession(int store, Connection connection) throws SQLException {
        return new RunMark(store, connection.unwrap(PGConnection.class).getBackendPID());
    }

    /** What a SELECT lists to hold it until the session ends. */
    String heldBySession() {
        return "pg_advisory_lock(" + store + ", " + number + ")";
    }

    /** What a SELECT lists to hold it until the transaction ends. */
    String heldByTransaction() {
        return "pg_advisory_xact_lock(" + store + ", " + number + ")";
    }

    /** Does not wait for the end. */
    String endHolder() {
        return """
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND classid = %d AND objid = %d
                """.formatted(Integer.toUnsignedLong(store), Integer.toUnsignedLong(number));
    }
}
