package dev.holdfast.broker.metrics;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Holdings.Depth;
import dev.holdfast.claim.Kind;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * How many resources are ready and held, read at a scrape and cached for a few seconds, since one scrape asks for every
 * kind and state. While the store does not answer, the gauges have no value and a scrape does not hang.
 */
public final class QueueDepths {
    private static final Duration KEPT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final List<String> STATES = List.of("ready", "held");

    private final Claims claims;
    private List<Depth> depths = List.of();
    private boolean known;
    private long readAt;
    private boolean read;

    private QueueDepths(Claims claims) {
        this.claims = claims;
    }

    public static void register(MeterRegistry registry, Claims claims) {
        QueueDepths depths = new QueueDepths(claims);
        for (Kind kind : Kind.values()) {
            for (String state : STATES) {
                Gauge.builder("holdfast.queue.depth", depths, source -> source.depth(kind.toString(), state))
                        .description("resources by kind and state")
                        .tag("kind", kind.toString())
                        .tag("state", state)
                        .strongReference(true)
                        .register(registry);
            }
            Gauge.builder("holdfast.oldest.ready.seconds", depths, source -> source.oldestReady(kind.toString()))
                    .description("how long the oldest ready resource has been waiting; 0 if there is none")
                    .tag("kind", kind.toString())
                    .strongReference(true)
                    .register(registry);
        }
    }

    private double depth(String kind, String state) {
        return sum(kind, state, Depth::depth);
    }

    private double oldestReady(String kind) {
        return sum(kind, "ready", depth -> depth.oldest().toMillis() / 1000.0);
    }

    /** Not really a sum: there is at most one depth per kind and state. */
    private synchronized double sum(String kind, String state, ToDoubleFunction<Depth> figure) {
        if (!read || System.nanoTime() - readAt > KEPT.toNanos()) {
            known = refresh();
            read = true;
            readAt = System.nanoTime();
        }
        return known
                ? depths.stream()
                        .filter(depth ->
                                depth.kind().equals(kind) && depth.state().equals(state))
                        .mapToDouble(figure)
                        .sum()
                : Double.NaN;
    }

    private boolean refresh() {
        Executor virtual = Thread::startVirtualThread;
        return CompletableFuture.supplyAsync(claims::depths, virtual)
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((found, failure) -> {
                    depths = failure == null ? found : List.of();
                    return failure == null;
                })
                .join();
    }
}
