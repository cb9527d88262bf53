package dev.holdfast.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** What a PostgreSQL error means for the transaction it hit. */
public enum Failure {
    /** Certainly rolled back: run it again. */
    ROLLED_BACK,
    /** The connection broke, so the outcome is unknown: run it again on a new connection, which is safe. */
    UNKNOWN_OUTCOME,
    /** The statement or its data were wrong; running it again would not help. */
    REFUSED;

    private static final Set<String> ROLLED_BACK_STATES = Set.of("40001", "40P01", "55P03", "57014");
    private static final Set<String> SHUTDOWN_STATES = Set.of("57P01", "57P02", "57P03", "57P05");

    public static Failure of(SQLException e) {
        String state = e.getSQLState();
        if (e instanceof SQLTransientConnectionException || state == null) {
            return UNKNOWN_OUTCOME;
        }
        if (ROLLED_BACK_STATES.contains(state) || state.startsWith("53")) {
            return ROLLED_BACK;
        }
        if (state.startsWith("08") || SHUTDOWN_STATES.contains(state) || state.startsWith("58")) {
            return UNKNOWN_OUTCOME;
        }
        return REFUSED;
    }

    /** The message for a caller when the database stays unreachable. */
    public static String outage(SQLException e) {
        return "PostgreSQL does not answer (" + e.getMessage()
                + "); whether the change was made is not known: repeat the call, with the same request_id if it had one";
    }

    /**
     * Waits a moment before the next attempt: a random time, so that callers that collided do not collide again in
     * lockstep.
     */
    public static void pauseAfter(int attempt) {
        long most = Math.min(200, 2L << Math.min(attempt, 10));
        LockSupport.parkNanos(Duration.ofMillis(ThreadLocalRandom.current().nextLong(1, most + 1))
                .toNanos());
    }
}
