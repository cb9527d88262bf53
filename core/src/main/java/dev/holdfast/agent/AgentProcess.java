package dev.holdfast.agent;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Parameters;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that a session runs in, or that made a call. A later process may get the same pid, but has another start
 * time.
 *
 * @param machine the machine and its PID namespace; a host name alone is not enough
 */
public record AgentProcess(String machine, long pid, Instant startedAt) {
    /** The system computes a start time from its current clock, which may have been set since. */
    private static final Duration UNSURE = Duration.ofSeconds(2);

    private static final char SEPARATOR = ' ';

    public boolean startedAt(Instant start) {
        return Duration.between(startedAt, start).abs().compareTo(UNSURE) <= 0;
    }

    /** Whether the two are the same process, as far as clocks allow. */
    public boolean is(AgentProcess other) {
        return pid == other.pid && machine.equals(other.machine) && startedAt(other.startedAt);
    }

    void bind(Parameters parameters) throws SQLException {
        parameters
                .text("machine", machine)
                .number("pid", pid)
                .time("earliest", LeaseClock.micros(startedAt.minus(UNSURE)))
                .time("latest", LeaseClock.micros(startedAt.plus(UNSURE)));
    }

    /** The form that {@link #parse} reads. */
    public String text() {
        return "" + pid + SEPARATOR + LeaseClock.micros(startedAt) + SEPARATOR + machine;
    }

    static Optional<AgentProcess> parse(String text) {
        int first = text.indexOf(SEPARATOR);
        int second = text.indexOf(SEPARATOR, first + 1);
        return first < 0 || second < 0
                ? Optional.empty()
                : Optional.of(new AgentProcess(
                        text.substring(second + 1),
                        Long.parseLong(text, 0, first, 10),
                        LeaseClock.instant(Long.parseLong(text, first + 1, second, 10))));
    }
}
