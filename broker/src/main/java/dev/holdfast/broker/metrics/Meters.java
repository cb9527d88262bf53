package dev.holdfast.broker.metrics;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.StoreObserver;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters and timers, updated by what happened. Every meter is registered at startup with every possible label value,
 * so that graphs show zero rather than nothing.
 */
public final class Meters implements StoreObserver {
    /** The possible outcomes of a claim besides being granted. */
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
     * Why claims are reclaimed: the lease expired and a broker's sweep or another claim took it; the holder went down
     * with its broker; or a review was held too long.
     */
    private static final List<String> RECLAIMS =
            List.of("expired", "taken_over", "stale_session", "overdue", "by_hand");

    private static final List<String> VERDICTS = List.of("approved", "changes_requested", "comment");

    private static final List<String> SPAWNS = List.of("started", "failed");

    private static final List<String> STORE_OPERATIONS = List.of("write", "combined");

    /** The outcomes of a claim that is not refused. */
    public enum Granted {
        GRANTED,
        ALREADY_HELD,
        NOTHING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The endpoints that a request can come in through. */
    public enum Endpoint {
        API,
        MCP,
        HOOKS,
        EVENTS,
        OPENAPI,
        HEALTH,
        METRICS,
        DASHBOARD
    }

    /** Which limit a caller exceeded. */
    public enum Limited {
        RATE,
        CONCURRENCY,
        CONNECTIONS
    }

    /** Why a caller was not admitted. */
    public enum Stranger {
        /** No token, where one is required. */
        MISSING,
        UNKNOWN,
        EXPIRED,
        REVOKED,
        /** Limited to some projects, but asked for all. */
        CONFINED,
        /** Too many wrong tokens from that address. */
        SLOWED,
        /** The store did not answer. */
        UNCHECKED
    }

    private final Instruments instruments = new Instruments();
    private final AtomicLong activeReviewers = new AtomicLong();
    private final AtomicLong drainingReviewers = new AtomicLong();

    public Meters() {
        for (Kind kind : Kind.values()) {
            for (Granted how : Granted.values()) {
                instruments.claims(kind.toString(), how.toString());
            }
            CLAIM_REFUSALS.forEach(code -> instruments.claims(kind.toString(), code.toString()));
            instruments.claimTime(kind);
            RECLAIMS.forEach(reason -> instruments.reclaims(kind.toString(), reason));
            FENCED.forEach(code -> instruments.fencedWrites(kind.toString(), code.toString()));
        }
        VERDICTS.forEach(instruments::verdicts);
        List.of("extended", "lost", "refused", "busy").forEach(instruments::heartbeats);
        STORE_OPERATIONS.forEach(instruments::storeTime);
        for (Endpoint endpoint : Endpoint.values()) {
            instruments.httpTime(endpoint);
        }
        for (Limited what : Limited.values()) {
            instruments.limits(what);
        }
        for (Stranger why : Stranger.values()) {
            instruments.strangers(why);
        }
        SPAWNS.forEach(instruments::spawns);
        instruments.reviewers("active", activeReviewers);
        instruments.reviewers("draining", drainingReviewers);
    }

    public PrometheusMeterRegistry registry() {
        return instruments.registry();
    }

    public void claimed(Kind kind, ClaimOutcome outcome, long nanos) {
        switch (outcome) {
            case ClaimOutcome.Granted granted -> claimed(kind, Granted.GRANTED, granted.displaced() != null, nanos);
            case ClaimOutcome.AlreadyHeld _ -> claimed(kind, Granted.ALREADY_HELD, false, nanos);
            case ClaimOutcome.Nothing _ -> claimed(kind, Granted.NOTHING, false, nanos);
            case Refusal refusal -> refused(kind, refusal.code(), nanos);
        }
    }

    /** @param takenOver whether the previous claim had expired and was taken over */
    public void claimed(Kind kind, Granted how, boolean takenOver, long nanos) {
        instruments.claims(kind.toString(), how.toString()).increment();
        if (takenOver) {
            instruments.reclaims(kind.toString(), "taken_over").increment();
        }
        instruments.claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    public void refused(Kind kind, RefusalCode code, long nanos) {
        if (CLAIM_REFUSALS.contains(code)) {
            instruments.claims(kind.toString(), code.toString()).increment();
        }
        instruments.claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A caller exceeded a limit. */
    public void limited(Limited what) {
        instruments.limits(what).increment();
    }

    /** A caller was not admitted. */
    public void refused(Stranger why) {
        instruments.strangers(why).increment();
    }

    public void verdict(String verdict) {
        instruments.verdicts(verdict).increment();
    }

    public void heartbeat(HeartbeatOutcome outcome) {
        instruments
                .heartbeats(
                        switch (outcome) {
                            case HeartbeatOutcome.Extended _ -> "extended";
                            case Refusal.Lost _ -> "lost";
                            case Refusal.Busy _ -> "busy";
                            case Refusal _ -> "refused";
                        })
                .increment();
    }

    /** A heartbeat for all of a holder's claims counts once; it counts as lost if any claim was. */
    public void heartbeat(HolderHeartbeat beat) {
        instruments.heartbeats(beat.lost().isEmpty() ? "extended" : "lost").increment();
    }

    /** A change was refused because the caller's claim is not, or no longer, the current one. */
    public void fenced(Kind kind, Refusal refusal) {
        fenced(kind, refusal.code());
    }

    /** @param code the reason; other refusals are not counted */
    public void fenced(Kind kind, RefusalCode code) {
        if (FENCED.contains(code)) {
            instruments.fencedWrites(kind.toString(), code.toString()).increment();
        }
    }

    /** A sweep reclaimed this. */
    public void swept(Resource resource) {
        reclaimed(resource, "expired");
    }

    /** @param reason one of a few known ones, since it becomes a label */
    public void reclaimed(Resource resource, String reason) {
        instruments.reclaims(resource.kind().toString(), reason).increment();
    }

    /** The pool tried to start a reviewer. */
    public void spawned(boolean started) {
        instruments.spawns(started ? "started" : "failed").increment();
    }

    /** The current number of reviewers in this broker's pool. */
    public void reviewers(long active, long draining) {
        activeReviewers.set(active);
        drainingReviewers.set(draining);
    }

    @Override
    public void combined(int requests) {
        instruments.batchSize.record(requests);
    }

    @Override
    public void took(String operation, long nanos) {
        instruments.storeTime(operation).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void answerLost() {
        instruments.lostAnswers.increment();
    }

    public void answered(Endpoint endpoint, long nanos) {
        instruments.httpTime(endpoint).record(nanos, TimeUnit.NANOSECONDS);
    }
}
