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
    private static final Set<String> SHUTDOWN_STATES = Set.of("57P01", "57P02", "57P03", "57P04", "57P05");
    /** The server lets nobody in, has no such database for now, or takes no changes, as after a failover. */
    private static final Set<String> CLOSED_STATES = Set.of("28000", "28P01", "3D000", "25006");

    public static Failure of(SQLException e) {
        String state = e.getSQLState();
        if (e instanceof SQLTransientConnectionException || state == null) {
            return UNKNOWN_OUTCOME;
        }
        if (ROLLED_BACK_STATES.contains(state) || state.startsWith("53")) {
            return ROLLED_BACK;
        }
        if (state.startsWith("08")
                || state.startsWith("58")
                || SHUTDOWN_STATES.contains(state)
                || CLOSED_STATES.contains(state)) {
            return UNKNOWN_OUTCOME;
        }
        return REFUSED;
    }

    /**
     * For a caller when the database stays unreachable. The driver's own words are for the log.
     *
     * @param maybeChanged whether an attempt may have been carried out
     */
    public static BusyException outage(SQLException e, boolean maybeChanged) {
        return new BusyException(
                "PostgreSQL does not answer; "
                        + (maybeChanged
                                ? "it is not known whether the change was made: repeat the call, with the same request_id if it"
                                        + " had one"
                                : "nothing was changed. Try again in a moment"),
                e);
    }

    /** For a caller whose changes collided with those of others every time. */
    public static BusyException contention(SQLException e) {
        return new BusyException("PostgreSQL is too contended; nothing was changed. Try again in a moment", e);
    }

    /**
     * Waits a moment before the next attempt: a random time, so that callers that collided do not collide again in
     * lockstep.
     */
    public static void pauseAfter(int attempt) {
        long max = Math.min(200, 2L << Math.min(attempt, 10));
        LockSupport.parkNanos(Duration.ofMillis(ThreadLocalRandom.current().nextLong(1, max + 1))
                .toNanos());
    }
}
