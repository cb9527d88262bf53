package dev.holdfast.store;

import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The one clock that decides when leases expire. */
@FunctionalInterface
public interface LeaseClock {
    /** Microseconds since 1970. */
    Pending<Long> micros(Transaction transaction) throws SQLException;

    /** PostgreSQL's own clock, so that brokers with different clocks or time zones agree. */
    Sql DATABASE_TIME = Sql.of("SELECT lease_clock() AS now");

    static LeaseClock database() {
        return transaction -> {
            Pending<Optional<Long>> time = transaction.askFirst(DATABASE_TIME, _ -> {}, row -> row.time("now"));
            return () -> time.get().orElseThrow();
        };
    }

    /**
     * By how many microseconds the clock must be set forward because the machine slept or its clock was set; 0 if it is
     * correct.
     */
    default long behind() {
        return 0;
    }

    /** Sets the clock forward; the caller has just extended all leases by the same amount. */
    default void setForward(long micros) {
        throw new UnsupportedOperationException("this clock needs no correction");
    }

    /** Converts a time of this clock to an Instant. */
    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Converts an Instant to a time of this clock. */
    static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
