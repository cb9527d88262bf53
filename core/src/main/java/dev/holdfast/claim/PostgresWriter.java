package dev.holdfast.claim;

import dev.holdfast.store.EarlierRuns;
import dev.holdfast.store.Failure;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SessionSettings;
import dev.holdfast.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs combined statements on one connection, one after the other.
 *
 * <p>If the connection breaks, the outcome is unknown: before anybody is answered, and once the first run is over
 * ({@link EarlierRuns}), the same statement runs again on a new connection with the same request ids and finds what the
 * first run did. A data error would fail the whole batch, so each unit then runs by itself.
 */
final class PostgresWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresWriter.class);
    private static final int ATTEMPTS = 5;
    private static final Duration OUTAGE_PATIENCE = Duration.ofSeconds(5);

    /** Array parameters tell the planner nothing about their length, so force it to look rows up by key. */
    private static final SessionSettings ALWAYS_BY_KEY = SessionSettings.OURS
            .with("enable_hashjoin", "off")
            .with("enable_mergejoin", "off")
            .with("plan_cache_mode", "force_generic_plan");

    private final PostgresStore store;
    private final Runnable changed;
    private @Nullable Connection connection;
    private @Nullable CombinedStatement statement;

    /** @param changed called after each commit that appended events */
    PostgresWriter(PostgresStore store, Runnable changed) {
        this.store = store;
        this.changed = changed;
    }

    /** Runs on a caller's thread when nobody else is writing; that caller's interrupt must not affect the others. */
    void write(List<CombinedUnit> units) {
        boolean interrupted = Thread.interrupted();
        try {
            writeUninterrupted(units);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void writeUninterrupted(List<CombinedUnit> units) {
        store.observer().combined(units.size());
        List<CombinedRequest> requests = CombinedUnit.requests(units);
        long giveUp = System.nanoTime() + OUTAGE_PATIENCE.toNanos();
        EarlierRuns earlier = new EarlierRuns();
        for (int attempt = 1; ; attempt++) {
            try {
                long start = System.nanoTime();
                CombinedStatement ready = statement();
                CombinedResult[] written = store.use(
                        ready.connection(), ALWAYS_BY_KEY, earlier, () -> ready.run(requests, store.leastGeneration()));
                store.observer().took("combined", System.nanoTime() - start);
                CombinedUnit.answer(units, written);
                if (Arrays.stream(written).anyMatch(PostgresWriter::hasEvent)) {
                    changed.run();
                }
                return;
            } catch (SQLException e) {
                switch (Failure.of(e)) {
                    case REFUSED -> {
                        if (units.size() > 1) {
                            LOG.warn(
                                    "PostgreSQL refused a batch of {} calls; retrying each on its own",
                                    units.size(),
                                    e);
                            units.forEach(unit -> write(List.of(unit)));
                        } else {
                            CombinedUnit.fail(
                                    units, new StoreException("PostgreSQL refused a statement: " + e.getMessage(), e));
                        }
                        return;
                    }
                    case ROLLED_BACK -> {
                        if (attempt >= ATTEMPTS) {
                            CombinedUnit.fail(units, Failure.contention(e));
                            return;
                        }
                    }
                    case UNKNOWN_OUTCOME -> {
                        store.observer().answerLost();
                        Thread.interrupted(); // it may have broken the connection, and others need a new one
                        disconnect();
                        if (System.nanoTime() > giveUp) {
                            CombinedUnit.fail(units, Failure.outage(e, true));
                            return;
                        }
                    }
                }
                Failure.pauseAfter(attempt);
            }
        }
    }

    /** Whether an event was appended for it. */
    private static boolean hasEvent(CombinedResult written) {
        return switch (written) {
            case CombinedResult.Taken _, CombinedResult.Ended _ -> true;
            case CombinedResult.Renewed _, CombinedResult.Missed _ -> false;
        };
    }

    private CombinedStatement statement() throws SQLException {
        CombinedStatement ready = statement;
        if (ready == null) {
            Connection fresh = store.connect(ALWAYS_BY_KEY);
            connection = fresh;
            ready = new CombinedStatement(fresh, store.origin());
            statement = ready;
        }
        return ready;
    }

    private void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException _) {
            // it was broken already
        }
        connection = null;
        statement = null;
    }

    @Override
    public void close() {
        disconnect();
    }
}
