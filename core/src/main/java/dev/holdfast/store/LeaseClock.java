package dev.holdfast.store;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** The one clock that leases are judged by. */
@FunctionalInterface
public interface LeaseClock {
    long micros(Transaction transaction) throws SQLException;

    /** PostgreSQL's own clock, so that brokers with other clocks or time zones agree. */
    Sql DATABASE_TIME = Sql.of("SELECT lease_clock() AS now");

    static LeaseClock database() {
        return transaction -> transaction
                .first(DATABASE_TIME, _ -> {}, row -> row.time("now"))
                .orElseThrow();
    }

    /**
     * A clock for a single process that never goes backwards: it starts at the wall clock or at the latest time found
     * in the store, whichever is later, and then runs by {@code nanoTime}, so that a wall clock set back or forward
     * ends no lease.
     */
    static LeaseClock monotonic(Clock wall, LongSupplier nanoTime, long latestStoredMicros) {
        long start = Math.max(ChronoUnit.MICROS.between(Instant.EPOCH, wall.instant()), latestStoredMicros);
        long zero = nanoTime.getAsLong();
        return _ -> start + (nanoTime.getAsLong() - zero) / 1_000;
    }

    /** A time of this clock, as programs know it. */
    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
