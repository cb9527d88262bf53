package dev.holdfast.agent;

import dev.holdfast.store.Parameters;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The process that a session runs in. Another one may get its pid later, but has not started when it did. */
public record Process(String host, long pid, Instant startedAt) {
    /** A system tells a start by its clock of the moment, which may have been set since. */
    private static final Duration UNSURE = Duration.ofSeconds(2);

    public boolean startedAt(Instant start) {
        return Duration.between(startedAt, start).abs().compareTo(UNSURE) <= 0;
    }

    void bind(Parameters parameters) throws SQLException {
        parameters
                .text("host", host)
                .number("pid", pid)
                .time("earliest", micros(startedAt.minus(UNSURE)))
                .time("latest", micros(startedAt.plus(UNSURE)));
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
