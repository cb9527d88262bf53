package dev.holdfast.broker.metrics;

import dev.holdfast.task.Attempt;
import dev.holdfast.task.Tasks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The {@code finalization_claim_*} meters, counted from the log of attempts, so that claims made in plain SQL are
 * included. Every broker on a database counts all attempts since its own start: take the maximum over brokers, not the
 * sum.
 */
public final class FinalizationMeters {
    private static final int BATCH = 1_000;

    /** Attempts are numbered before they are committed: one with a lower number may appear this much later. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private static final List<String> REASONS =
            List.of("already_claimed", "already_complete", "not_ready", "race_condition", "other");

    private final MeterRegistry registry;
    private final Tasks tasks;
    private final Set<Long> counted = new HashSet<>();
    private long settled;

    public FinalizationMeters(MeterRegistry registry, Tasks tasks) {
        this.registry = registry;
        this.tasks = tasks;
        settled = tasks.lastAttempt();
        for (String operation : List.of("", "release_", "extend_")) {
            timer(operation);
            counter(operation + "attempts");
            counter(operation + "success");
        }
        counter("contention");
        counter("release_not_owned");
        counter("extend_failed");
        REASONS.forEach(this::reason);
    }

    /** Counts the attempts since the last call. */
    public synchronized void catchUp() {
        long after = settled;
        List<Attempt> some;
        do {
            some = tasks.attempts(after, BATCH);
            for (Attempt attempt : some) {
                if (counted.add(attempt.id())) {
                    count(attempt);
                }
                after = attempt.id();
            }
            settle(some);
        } while (some.size() == BATCH);
    }

    /** Forgets attempts so old that none with a lower number can still appear. */
    private void settle(List<Attempt> some) {
        if (some.isEmpty()) {
            return;
        }
        Instant newest =
                some.getLast().at() == null ? Instant.MIN : some.getLast().at();
        for (Attempt attempt : some) {
            Instant at = attempt.at();
            if (at == null || at.isAfter(newest.minus(LATE))) {
                return;
            }
            settled = attempt.id();
            counted.remove(attempt.id());
        }
    }

    private void count(Attempt attempt) {
        switch (attempt.operation()) {
            case "claim" -> claim(attempt);
            case "extend" -> counted(attempt, "extend_", attempt.claimed(), "extend_failed");
            case "release" -> counted(attempt, "release_", attempt.outcome().equals("released"), "release_not_owned");
            default -> {} // the predecessor has no meter for finishing
        }
    }

    private void counted(Attempt attempt, String operation, boolean success, String failure) {
        timer(operation).record((long) (attempt.seconds() * 1e9), TimeUnit.NANOSECONDS);
        counter(operation + "attempts").increment();
        counter(success ? operation + "success" : failure).increment();
    }

    /** Contention means that another processor was in the way; having nothing to do is not contention. */
    private void claim(Attempt attempt) {
        timer("").record((long) (attempt.seconds() * 1e9), TimeUnit.NANOSECONDS);
        counter("attempts").increment();
        if (attempt.claimed()) {
            counter("success").increment();
            if (attempt.outcome().equals("extended")) { // by repeating the claim, as the predecessor's processors do
                counted(attempt, "extend_", true, "extend_failed");
            }
            return;
        }
        String outcome = attempt.outcome();
        reason(REASONS.contains(outcome) ? outcome : "other").increment();
        if (outcome.equals("already_claimed") || outcome.equals("race_condition")) {
            counter("contention").increment();
        }
    }

    private Counter counter(String what) {
        return Counter.builder("finalization.claim." + what.replace('_', '.'))
                .description("claims on finalizations: " + what.replace('_', ' '))
                .register(registry);
    }

    private Counter reason(String reason) {
        return Counter.builder("finalization.claim.contention.by.reason")
                .description("claims on finalizations that were not granted; only some of the reasons are contention")
                .tag("reason", reason)
                .register(registry);
    }

    private Timer timer(String operation) {
        return Timer.builder("finalization.claim." + operation.replace('_', '.') + "duration")
                .description("time to answer, inside the store")
                .serviceLevelObjectives(
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5))
                .register(registry);
    }
}
