package dev.holdfast.cli.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks for something that is not there yet, again and again, for as long as its user wants: a broker answers within a minute. */
public record Waiting(BrokerDoor broker, InstantSource clock) {
    /** Less than a broker waits at most, unless it is configured otherwise. */
    private static final Duration AT_ONCE = Duration.ofSeconds(50);

    /** What is null in an answer that gives nothing. */
    private static final List<String> GIVEN = List.of("resource", "item", "review_id", "step");

    /** @param longest null: not at all */
    public Reply ask(String verb, Input input, @Nullable Duration longest) {
        if (longest == null) {
            return broker.call(verb, input.fields());
        }
        Instant end = clock.instant().plus(longest);
        while (true) {
            Duration left = Duration.between(clock.instant(), end);
            Duration now = left.compareTo(AT_ONCE) > 0 ? AT_ONCE : left.isNegative() ? Duration.ZERO : left;
            Reply reply =
                    broker.call(verb, input.withSeconds("wait_seconds", now).fields());
            if (!isNothingYet(reply) || !clock.instant().isBefore(end)) {
                return reply;
            }
        }
    }

    /** Whether what was asked for is held by somebody, or there is none. */
    public static boolean isNothingYet(Reply reply) {
        return reply.accepted()
                ? GIVEN.stream()
                        .anyMatch(name -> reply.json().has(name) && reply.json().get(name) == null)
                : "held".equals(reply.json().text("code"));
    }
}
