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
 * What is counted and timed, by what happened. Every meter is registered at the start with every label value that can occur, so that a
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
        for (Door door : Door.values()) {
            instruments.httpTime(door);
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

    /** @param takenOver somebody's lease had run out, and it was taken from there */
    public void claimed(Kind kind, Granted how, boolean takenOver, long nanos) {
        instruments.claims(kind.toString(), how.toString()).increment();
        if (takenOver) {
            instruments.reclaims(kind.toString(), "taken_over").increment();
        }
        instruments.claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A claim was refused. */
    public void refused(Kind kind, RefusalCode code, long nanos) {
        if (CLAIM_REFUSALS.contains(code)) {
            instruments.claims(kind.toString(), code.toString()).increment();
        }
        instruments.claimTime(kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A caller has asked for more than its share. */
    public void limited(Limited what) {
        instruments.limits(what).increment();
    }

    /** Somebody was not let in. */
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

    /** A heartbeat for all that a holder has counts once; it is lost if anything was. */
    public void heartbeat(HolderHeartbeat beat) {
        instruments.heartbeats(beat.lost().isEmpty() ? "extended" : "lost").increment();
    }

    /** A change was refused because the caller's claim is not, or no longer, the current one. */
    public void fenced(Kind kind, Refusal refusal) {
        fenced(kind, refusal.code());
    }

    /** @param code why; a refusal for another reason is not counted */
    public void fenced(Kind kind, RefusalCode code) {
        if (FENCED.contains(code)) {
            instruments.fencedWrites(kind.toString(), code.toString()).increment();
        }
    }

    /** A sweep took this back. */
    public void swept(Resource resource) {
        reclaimed(resource, "expired");
    }

    /** @param reason one of a known few: it becomes a label */
    public void reclaimed(Resource resource, String reason) {
        instruments.reclaims(resource.kind().toString(), reason).increment();
    }

    /** A reviewer of the pool was to be started. */
    public void spawned(boolean started) {
        instruments.spawns(started ? "started" : "failed").increment();
    }

    /** So many reviewers of this broker's pool there are now. */
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

    public void answered(Door door, long nanos) {
        instruments.httpTime(door).record(nanos, TimeUnit.NANOSECONDS);
    }
}
