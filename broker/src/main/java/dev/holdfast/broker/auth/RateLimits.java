package dev.holdfast.broker.auth;

import dev.holdfast.store.LruMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits each caller: a number of calls per second, with bursts of up to two seconds' worth, and a number of concurrent
 * calls. Callers do not affect each other. When there are too many to remember, idle callers are forgotten.
 */
final class RateLimits {
    private static final int MAX = 10_000;
    private static final double BURST_SECONDS = 2;

    sealed interface Answer {
        /** Call {@link RateLimits#done} when the call is over. */
        record Yes() implements Answer {}

        /** Too many calls per second; retry after this time. */
        record TooOften(Duration after) implements Answer {}

        /** Too many concurrent calls. */
        record TooMany(int running) implements Answer {}
    }

    private static final class Caller {
        private double left;
        private long at;
        private int running;

        Caller(double left, long at) {
            this.left = left;
            this.at = at;
        }
    }

    private final double perSecond;
    private final int atOnce;
    private final LongSupplier nanoTime;

    private final Map<String, Caller> callers = new LruMap<>(MAX, caller -> caller.running == 0);

    RateLimits(int perSecond, int atOnce, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.atOnce = atOnce;
        this.nanoTime = nanoTime;
    }

    synchronized Answer ask(String name) {
        long now = nanoTime.getAsLong();
        Caller caller = callers.computeIfAbsent(name, _ -> new Caller(perSecond * BURST_SECONDS, now));
        caller.left = Math.min(
                perSecond * BURST_SECONDS,
                caller.left
                        + (now - caller.at) * perSecond / Duration.ofSeconds(1).toNanos());
        caller.at = now;
        if (caller.running >= atOnce) {
            return new Answer.TooMany(caller.running);
        }
        if (caller.left < 1) {
            double seconds = (1 - caller.left) / perSecond;
            return new Answer.TooOften(
                    Duration.ofNanos((long) (seconds * Duration.ofSeconds(1).toNanos())));
        }
        caller.left--;
        caller.running++;
        return new Answer.Yes();
    }

    /** Call this when an allowed call is over. */
    synchronized void done(String name) {
        Caller caller = callers.get(name);
        if (caller != null) {
            caller.running--;
        }
    }
}
