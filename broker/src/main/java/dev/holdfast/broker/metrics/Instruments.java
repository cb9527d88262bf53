package dev.holdfast.broker.metrics;

import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.metrics.Meters.Limited;
import dev.holdfast.broker.metrics.Meters.Stranger;
import dev.holdfast.claim.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every meter with its name, description and labels, as in docs/operations.md and the rules in deploy/. */
final class Instruments {
    private static final Duration[] STEPS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60)
    };

    private record Meter(String name, List<String> labels) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    // the registry finds a meter only by building its description again, at every call
    private final Map<Meter, Counter> counters = new ConcurrentHashMap<>();
    private final Map<Meter, Timer> timers = new ConcurrentHashMap<>();

    final DistributionSummary batchSize = DistributionSummary.builder("holdfast.combined.batch.size")
            .description("requests that shared one commit")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
            .register(registry);

    final Counter lostAnswers = counter(
            "holdfast.store.lost.answers",
            "changes run again because the database's answer was lost with its connection");

    PrometheusMeterRegistry registry() {
        return registry;
    }

    Counter claims(String kind, String outcome) {
        return counter("holdfast.claims", "claims by outcome", "kind", kind, "outcome", outcome);
    }

    Timer claimTime(Kind kind) {
        return timer("holdfast.claim", "time to answer a claim, waiting included", "kind", kind.toString());
    }

    Counter heartbeats(String outcome) {
        return counter("holdfast.heartbeats", "heartbeats by outcome", "outcome", outcome);
    }

    Counter reclaims(String kind, String reason) {
        return counter(
                "holdfast.reclaims",
                "claims reclaimed from holders whose lease ran out or that are gone",
                "kind",
                kind,
                "reason",
                reason);
    }

    Counter verdicts(String verdict) {
        return counter("holdfast.verdicts", "verdicts and comments given on reviews", "verdict", verdict);
    }

    Counter fencedWrites(String kind, String reason) {
        return counter(
                "holdfast.fenced.writes",
                "changes refused because the claim presented was not the current one",
                "kind",
                kind,
                "reason",
                reason);
    }

    Counter spawns(String outcome) {
        return counter("holdfast.reviewer.spawns", "starts of pool reviewers by outcome", "outcome", outcome);
    }

    Counter limits(Limited what) {
        return counter(
                "holdfast.limited.calls",
                "calls answered busy because their caller exceeded a limit",
                "limit",
                label(what));
    }

    Counter strangers(Stranger why) {
        return counter(
                "holdfast.refused.tokens", "requests refused because they had no valid token", "reason", label(why));
    }

    void reviewers(String state, AtomicLong number) {
        Gauge.builder("holdfast.reviewers", number, AtomicLong::get)
                .description("reviewers of this broker's pool, by state")
                .tag("state", state)
                .register(registry);
    }

    Timer storeTime(String operation) {
        return timer("holdfast.store", "time of a transaction or combined statement", "operation", operation);
    }

    Timer httpTime(Endpoint endpoint) {
        return timer("holdfast.http", "time to answer a request, waiting included", "door", label(endpoint));
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** @param labels alternating names and values */
    private Counter counter(String name, String description, String... labels) {
        return counters.computeIfAbsent(
                new Meter(name, List.of(labels)),
                _ -> Counter.builder(name).description(description).tags(labels).register(registry));
    }

    private Timer timer(String name, String description, String label, String value) {
        return timers.computeIfAbsent(
                new Meter(name, List.of(label, value)),
                _ -> Timer.builder(name)
                        .description(description)
                        .tag(label, value)
                        .serviceLevelObjectives(STEPS)
                        .register(registry));
    }
}
