package dev.holdfast.broker.pool;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.pool.PoolSituation;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides whether the cap, the pauses and the spend limits allow one more reviewer now. */
record SpawnLimits(Scaling rules) {
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);

    /** The earliest time at which the next reviewer may start, with the reason for the wait; empty: now. */
    Optional<Pause> pause(PoolSituation now) {
        Instant last = now.lastSpawn();
        Instant crash = now.crashes().last();
        Pause cooldown = last == null ? null : new Pause(last.plus(rules.cooldown()), "cooldown");
        Pause backoff = crash == null
                ? null
                : new Pause(
                        crash.plus(backoff(now.crashes().inARow())),
                        now.crashes().inARow() + " reviewers in a row ended without a review");
        return Stream.of(cooldown, backoff)
                .filter(Objects::nonNull)
                .filter(pause -> pause.until().isAfter(now.now()))
                .max(Comparator.comparing(Pause::until));
    }

    record Pause(Instant until, String reason) {}

    private Duration backoff(int crashes) {
        Duration pause = rules.cooldown();
        for (int i = 1; i < crashes && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /** The spend limit that currently forbids starting reviewers; empty: none. */
    Optional<String> spent(PoolSituation now) {
        Long spawns = rules.spawnsPerDay();
        if (spawns != null && now.spawnsInADay() >= spawns) {
            return Optional.of("the limit of " + spawns + " spawns per day is reached");
        }
        return reviewsAreSpent(now)
                ? Optional.of("the limit of " + rules.reviewsPerHour() + " reviews per hour is reached")
                : Optional.empty();
    }

    /** Whether running reviewers may not take any more reviews either. */
    boolean reviewsAreSpent(PoolSituation now) {
        Long limit = rules.reviewsPerHour();
        return limit != null && now.reviewsInAnHour() >= limit;
    }

    /** How many more reviewer processes this broker may run. */
    int room(PoolSituation now, String own) {
        return (int) Math.max(
                0,
                rules.max()
                        - now.reviewers().stream()
                                .filter(live -> live.reviewer().broker().equals(own))
                                .count());
    }

    /**
     * Checks a person's request for one more reviewer. The backoff after crashes does not apply: the person may just
     * have fixed their cause.
     *
     * @throws RefusedException when no reviewer may be started now
     */
    void refuseIfNotNow(PoolSituation now, String own) {
        Optional.ofNullable(now.lastSpawn())
                .map(last -> Duration.between(now.now(), last.plus(rules.cooldown())))
                .filter(Duration::isPositive)
                .ifPresent(left -> {
                    throw new RefusedException(
                            RefusalCode.BUSY,
                            "Spawn cooldown active",
                            Map.of("retry_after_seconds", left.toMillis() / 1000.0));
                });
        if (room(now, own) == 0) {
            throw new RefusedException(
                    RefusalCode.BUSY, "Reviewer pool cap reached", Map.of("max_pool_size", rules.max()));
        }
        spent(now).ifPresent(spent -> {
            throw new RefusedException(RefusalCode.BUSY, "Not started: " + spent + " (reviewer_pool.limits)");
        });
    }
}
