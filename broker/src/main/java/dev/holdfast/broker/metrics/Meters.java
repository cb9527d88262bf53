package dev.holdfast.broker.metrics;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.StoreObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is counted and timed. Every meter is registered at the start with every label value that can occur, so that a
 * graph shows zero rather than nothing.
 */
public final class Meters implements StoreObserver {
    /** What a claim can come to besides being granted. */
    private static final Set<RefusalCode> CLAIM_REFUSALS = EnumSet.of(
            RefusalCode.HELD,
            RefusalCode.NOT_CLAIMABLE,
            RefusalCode.NOT_FOUND,
            RefusalCode.LOST,
            RefusalCode.STALE,
            RefusalCode.WRONG_HOLDER,
            RefusalCode.NOT_HELD,
            RefusalCode.FENCE_MISSING,
            RefusalCode.BAD_STATE,
            RefusalCode.FORBIDDEN,
            RefusalCode.BUSY);

    private static final Set<RefusalCode> FENCED = EnumSet.of(
            RefusalCode.LOST,
            RefusalCode.STALE,
            RefusalCode.WRONG_HOLDER,
            RefusalCode.NOT_HELD,
            RefusalCode.FENCE_MISSING,
            RefusalCode.BAD_STATE);

    /**
     * The lease had run out: swept by a broker, or taken over by a claim; or its holder went down with the brokers, or had
     * held a review for too long.
     */
    private static final List<String> RECLAIMS =
            List.of("expired", "taken_over", "stale_session", "overdue", "by_hand");

    private static final List<String> VERDICTS = List.of("approved", "changes_requested", "comment");

    private static final List<String> SPAWNS = List.of("started", "failed");

    private static final List<String> STORE_OPERATIONS = List.of("write", "combined");

    /** What comes of a claim that is not refused. */
    public enum Granted {
        GRANTED,
        ALREADY_HELD,
        NOTHING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The doors a request can come in by. */
    public enum Door {
        API,
        MCP,
        HOOKS,
        EVENTS,
        OPENAPI,
        HEALTH,
        METRICS,
        DASHBOARD
    }

    /** What a caller has asked for too much of. */
    public enum Limited {
        RATE,
        CONCURRENCY
    }

    /** Why somebody was not let in. */
    public enum Stranger {
        /** No token, where one is needed. */
        MISSING,
        UNKNOWN,
        EXPIRED,
        REVOKED,
        /** Good for some projects only, and asked for all. */
        CONFINED,
        /** Too many wrong ones came from there. */
        SLOWED,
        /** The store did not answer. */
        UNCHECKED
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final DistributionSummary combined = DistributionSummary.builder("holdfast.combined.batch.size")
            .description("requests that shared one commit")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
            .register(registry);

    private final Counter lostAnswers = Counter.builder("holdfast.store.lost.answers")
            .description("changes run again because the database's answer was lost with its connection")
            .register(registry);

    private final AtomicLong activeReviewers = new AtomicLong();
    private final AtomicLong drainingReviewers = new AtomicLong();

    public Meters() {
        for (Kind kind : Kind.values()) {
            for (Granted how : Granted.values()) {
                claims(kind.toString(), how.toString());
            }
            CLAIM_REFUSALS.forEach(code -> claims(kind.toString(), code.toString()));
            claimTime(kind);
            RECLAIMS.forEach(reason -> reclaims(kind.toString(), reason));
            FENCED.forEach(code -> fencedWrites(kind.toString(), code.toString()));
        }
        VERDICTS.forEach(this::verdicts);
        List.of("extended", "lost", "refused", "busy").forEach(this::heartbeats);
        STORE_OPERATIONS.forEach(this::storeTime);
        for (Door door : Door.values()) {
            httpTime(door);
        }
        for (Limited what : Limited.values()) {
            limits(what);
        }
        for (Stranger why : Stranger.values()) {
            strangers(why);
        }
        SPAWNS.forEach(this::spawns);
        gauge("active", activeReviewers);
        gauge("draining", drainingReviewers);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    public void claimed(Kind kind, ClaimOutcome outcome, long nanos) {
        switch (outcome) {
            case ClaimOutcome.Granted granted -> claimed(kind, Granted.GRANTED, granted.displaced() != null, nanos);
            case ClaimOutcome.AlreadyHeld _ -> claimed(kind, Granted.ALREADY_HELD, false, nanos);
            case ClaimOutcome.Nothing _ -> claimed(kind, Granted.NOTHING, false, nanos);
            case Refusal refusal -> refused(kind, refusal.code(), nanos);
        }
    }

    /** @param takenOver somebody's lease had run out, and it was taken from there */
    public void claimed(Kind kind, Granted how, boolean takenOver, long nanos) {
        claims(kind.toString(), how.toString()).increment();
        if (takenOver) {
            reclaims(kind.toString(), "taken_over").increment();
        }
        claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A claim was refused. */
    public void refused(Kind kind, RefusalCode code, long nanos) {
        if (CLAIM_REFUSALS.contains(code)) {
            claims(kind.toString(), code.toString()).increment();
        }
        claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A caller has asked for more than its share. */
    public void limited(Limited what) {
        limits(what).increment();
    }

    private Counter limits(Limited what) {
        return Counter.builder("holdfast.limited.calls")
                .description("calls answered busy because their caller had more than its share")
                .tag("limit", what.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Somebody was not let in. */
    public void refused(Stranger why) {
        strangers(why).increment();
    }

    private Counter strangers(Stranger why) {
        return Counter.builder("holdfast.refused.tokens")
                .description("requests that were not let in, for want of a token that is good for them")
                .tag("reason", why.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    public void verdict(String verdict) {
        verdicts(verdict).increment();
    }

    public void heartbeat(HeartbeatOutcome outcome) {
        heartbeats(
                        switch (outcome) {
                            case HeartbeatOutcome.Extended _ -> "extended";
                            case Refusal.Lost _ -> "lost";
                            case Refusal.Busy _ -> "busy";
                            case Refusal _ -> "refused";
                        })
                .increment();
    }

    /** A heartbeat for all that a holder has counts once; it is lost if anything was. */
    public void heartbeat(HolderHeartbeat beat) {
        heartbeats(beat.lost().isEmpty() ? "extended" : "lost").increment();
    }

    /** A change was refused because the caller's claim is not, or no longer, the current one. */
    public void fenced(Kind kind, Refusal refusal) {
        fenced(kind, refusal.code());
    }

    /** @param code why; a refusal for another reason is not counted */
    public void fenced(Kind kind, RefusalCode code) {
        if (FENCED.contains(code)) {
            fencedWrites(kind.toString(), code.toString()).increment();
        }
    }

    /** A sweep took this back. */
    public void swept(Resource resource) {
        reclaimed(resource, "expired");
    }

    /** @param reason one of a known few: it becomes a label */
    public void reclaimed(Resource resource, String reason) {
        reclaims(resource.kind().toString(), reason).increment();
    }

    /** A reviewer of the pool was to be started. */
    public void spawned(boolean started) {
        spawns(started ? "started" : "failed").increment();
    }

    /** So many reviewers of this broker's pool there are now. */
    public void reviewers(long active, long draining) {
        activeReviewers.set(active);
        drainingReviewers.set(draining);
    }

    @Override
    public void combined(int requests) {
        combined.record(requests);
    }

    @Override
    public void took(String operation, long nanos) {
        storeTime(operation).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void answerLost() {
        lostAnswers.increment();
    }

    public void answered(Door door, long nanos) {
        httpTime(door).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Counter claims(String kind, String outcome) {
        return Counter.builder("holdfast.claims")
                .description("claims asked for, by what was answered")
                .tag("kind", kind)
                .tag("outcome", outcome)
                .register(registry);
    }

    private Timer claimTime(Kind kind) {
        return timer("holdfast.claim", "time to answer a claim, waiting included", "kind", kind.toString());
    }

    private Counter heartbeats(String outcome) {
        return Counter.builder("holdfast.heartbeats")
                .description("heartbeats, by what was answered")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter reclaims(String kind, String reason) {
        return Counter.builder("holdfast.reclaims")
                .description("claims taken from holders whose lease had run out or who are gone")
                .tag("kind", kind)
                .tag("reason", reason)
                .register(registry);
    }

    private Counter verdicts(String verdict) {
        return Counter.builder("holdfast.verdicts")
                .description("verdicts and comments given on reviews")
                .tag("verdict", verdict)
                .register(registry);
    }

    private Counter fencedWrites(String kind, String reason) {
        return Counter.builder("holdfast.fenced.writes")
                .description("changes refused because the claim shown was not the current one")
                .tag("kind", kind)
                .tag("reason", reason)
                .register(registry);
    }

    private Counter spawns(String outcome) {
        return Counter.builder("holdfast.reviewer.spawns")
                .description("reviewers of the pool that were to be started, by what came of it")
                .tag("outcome", outcome)
                .register(registry);
    }

    private void gauge(String state, AtomicLong number) {
        Gauge.builder("holdfast.reviewers", number, AtomicLong::get)
                .description("reviewers of this broker's pool, by state")
                .tag("state", state)
                .register(registry);
    }

    private Timer storeTime(String operation) {
        return timer("holdfast.store", "time of a transaction or combined statement", "operation", operation);
    }

    private Timer httpTime(Door door) {
        return timer(
                "holdfast.http",
                "time to answer a request, waiting included",
                "door",
                door.name().toLowerCase(Locale.ROOT));
    }

    private Timer timer(String name, String description, String label, String value) {
        return Timer.builder(name)
                .description(description)
                .tag(label, value)
                .serviceLevelObjectives(
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(60))
                .register(registry);
    }
}
