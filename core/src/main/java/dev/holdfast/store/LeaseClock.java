package dev.holdfast.store;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The one clock that leases are judged by. */
@FunctionalInterface
public interface LeaseClock {
    /** In microseconds since 1970. */
    Pending<Long> micros(Transaction transaction) throws SQLException;

    /** PostgreSQL's own clock, so that brokers with other clocks or time zones agree. */
    Sql DATABASE_TIME = Sql.of("SELECT lease_clock() AS now");

    static LeaseClock database() {
        return transaction -> {
            Pending<Optional<Long>> time = transaction.askFirst(DATABASE_TIME, _ -> {}, row -> row.time("now"));
            return () -> time.get().orElseThrow();
        };
    }

    /** A clock for a single process; see {@link ProcessClock}. It does not learn how long the machine has slept. */
    static LeaseClock monotonic(Clock wall, LongSupplier nanoTime, long latestStoredMicros) {
        return new ProcessClock(wall, nanoTime, nanoTime, latestStoredMicros);
    }

    /** By how many microseconds it is to be set forward, because the machine has slept or its clock was set; 0: it is right. */
    default long behind() {
        return 0;
    }

    /** It is later by so much from now on; all leases have just been lengthened by as much. */
    default void setForward(long micros) {
        throw new UnsupportedOperationException("this clock is right by itself");
    }

    /** A time of this clock, as programs know it. */
    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The other way round. */
    static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
