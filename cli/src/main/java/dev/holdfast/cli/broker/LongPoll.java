package dev.holdfast.cli.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a call until it yields something, for as long as the user wants: a broker answers each call within a minute.
 */
public record LongPoll(BrokerClient broker, InstantSource clock) {
    /** Below a broker's maximum wait, unless that is configured. */
    private static final Duration AT_ONCE = Duration.ofSeconds(50);

    /** The fields of which one is null when an answer grants nothing. */
    private static final List<String> GIVEN = List.of("resource", "item", "review_id", "step");

    /** @param longest null: do not wait */
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
            if (!isStillWaiting(reply) || !clock.instant().isBefore(end)) {
                return reply;
            }
        }
    }

    /** Whether somebody else holds what was asked for, or there is nothing. */
    public static boolean isStillWaiting(Reply reply) {
        return reply.accepted()
                ? GIVEN.stream()
                        .anyMatch(name -> reply.json().has(name) && reply.json().get(name) == null)
                : "held".equals(reply.json().text("code"));
    }
}
