package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.event.EventTail;
import dev.holdfast.event.Events;
import dev.holdfast.event.Signals;
import dev.holdfast.store.Pending;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.Transaction;
import dev.holdfast.store.Work;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fenced claims on resources.
 *
 * <ol>
 *   <li>A claim is one compare-and-set on the resource's row: it is granted if the row is free and due, or held with an
 *       expired lease. The grant carries a generation, one higher than any before it.
 *   <li>Whoever changes a claimed resource presents holder and generation. Anything but the current grant is refused,
 *       in the same transaction as the change.
 *   <li>The generation decides; the clock only permits a takeover. A claim past its expiry may be taken over or swept;
 *       until that happens its holder may still renew or end it.
 *   <li>A lost answer does not lose the claim: repeating a request id returns the same grant, and repeating an ending
 *       the same answer.
 *   <li>Every change and its event are one transaction; waiters are woken after the commit.
 * </ol>
 *
 * <pre>{@code
 * try (Store store = SqliteStore.open(Path.of("data")); Claims claims = Claims.over(store)) {
 *     switch (claims.claim(ClaimRequest.of(Resource.key("deploy"), "agent-1"))) {
 *         case Granted granted -> claims.release(granted.claim(), null);
 *         case Refusal refusal -> System.err.println(refusal.message());
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>All methods are thread-safe and may run on virtual threads; they return once the change is durable.
 */
public final class Claims implements KindClaims, AutoCloseable {
    private final Store store;
    private final Leases leases;
    private final Signals signals = new Signals();
    private final Announcements announcements = new Announcements(signals);
    private final Events events;
    private final WaitingClaims waiting = new WaitingClaims(signals);
    private final ReadySet ready = new ReadySet();
    private final RowClaims rows;
    private final Reclaims reclaims;
    private final ExpirySweep sweeping;
    private final Availability availability;
    private final TransactionalClaims transactional;
    private final HeartbeatThrottle throttle;
    private final ClaimEngine engine;
    private final EventTail tail;
    private final DueTimer due;
    private final AtomicLong calls = new AtomicLong();

    public static Claims over(Store store) {
        return over(store, Leases.defaults());
    }

    public static Claims over(Store store, Leases leases) {
        return new Claims(store, leases);
    }

    private Claims(Store store, Leases leases) {
        this.store = store;
        this.leases = leases;
        tail = EventTail.start(store);
        events = new Events(store.origin(), tail::changed);
        ClaimEvents claimEvents = new ClaimEvents(events);
        reclaims = new Reclaims(claimEvents, announcements);
        sweeping = new ExpirySweep(store, reclaims);
        availability = new Availability(claimEvents, announcements, signals);
        rows = new RowClaims(claimEvents, announcements, reclaims, availability);
        transactional = new TransactionalClaims(
                this, rows, reclaims, availability, new ResourceImport(claimEvents, announcements));
        throttle = new HeartbeatThrottle(store);
        engine = switch (store) {
            case SqliteStore sqlite -> CombinedClaimEngine.on(sqlite, rows, announcements, ready, events);
            case PostgresStore postgres -> CombinedClaimEngine.on(postgres, rows, announcements, ready, tail::changed);
            default -> throw new StoreException("no claim engine for " + store);
        };
        tail.hearOthers(new RemoteChanges(store, announcements));
        due = new DueTimer(store, availability);
    }

    // Claiming

    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        long lease = lease(asked);
        String requestId = requestId(asked.requestId());
        return claimWaiting(asked, () -> engine.claim(asked, lease, requestId));
    }

    /** As {@link #claim(ClaimRequest)}, but a domain makes each attempt, in its own transaction. */
    public ClaimOutcome claim(ClaimRequest asked, Work<ClaimOutcome> attempt) {
        return claimWaiting(asked, () -> store.submit(attempt));
    }

    private ClaimOutcome claimWaiting(ClaimRequest asked, Supplier<CompletableFuture<ClaimOutcome>> attempt) {
        return asked.patience().isZero() ? AwaitOutcome.of(attempt.get(), busy -> busy) : waiting.claim(asked, attempt);
    }

    /** Claims several resources in as few commits as possible, without waiting; the outcomes are in request order. */
    public List<ClaimOutcome> claimAll(List<ClaimRequest> asked) {
        List<CompletableFuture<ClaimOutcome>> answers = asked.stream()
                .map(one ->
                        engine.claim(one, leases.micros(one.resource().kind(), one.ttl()), requestId(one.requestId())))
                .toList();
        return answers.stream()
                .map(answer -> AwaitOutcome.of(answer, busy -> busy))
                .toList();
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        return waiting.claimNext(nextAttempt(asked), engine::next);
    }

    /**
     * As {@link #claimNext(NextRequest)}, but a domain makes each attempt, in its own transaction, because it has to
     * check more than readiness.
     */
    public ClaimOutcome claimNext(NextRequest asked, Work<ClaimOutcome> attempt) {
        NextAttempt plain = nextAttempt(asked);
        NextAttempt nextAttempt = new NextAttempt(plain.asked(), plain.lease(), plain.requestId(), false);
        return waiting.claimNext(nextAttempt, _ -> store.submit(attempt));
    }

    /** Claims up to this many at once, in as few commits as possible; fewer if fewer are ready. */
    public List<Claim> claimNext(NextRequest asked, int count) {
        if (asked.requestId() != null && count > 1) {
            throw new InvalidException("a request id identifies one grant; with it, ask for one at a time");
        }
        List<CompletableFuture<ClaimOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // a generated id each, treated as the caller's own: two grants of one call must not pass for repeats of
            // each other
            answers.add(engine.next(nextAttempt(asked.requestId(requestId(asked.requestId())))));
        }
        List<Claim> claims = new ArrayList<>();
        for (CompletableFuture<ClaimOutcome> answer : answers) {
            switch (AwaitOutcome.of(answer, busy -> busy)) {
                case Granted granted -> claims.add(granted.claim());
                case AlreadyHeld already -> claims.add(already.claim()); // the answer to a first run was lost
                case Nothing _ -> {}
                case Refusal _ -> {}
            }
        }
        return claims;
    }

    /**
     * Runs a step that a new claim needs before its holder is told. If the step fails, a new grant is released at once;
     * a claim that the holder already had stays.
     */
    public <T> T runBeforeDelivery(ClaimOutcome outcome, Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            if (outcome instanceof Granted undelivered) {
                giveUp(undelivered.claim(), e);
            }
            throw e;
        }
    }

    private void giveUp(Claim claim, RuntimeException why) {
        try {
            release(claim, null);
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    // Holding

    /** Extends and confirms one claim. */
    public HeartbeatOutcome heartbeat(Resource resource, Fence fence) {
        HeartbeatOutcome outcome = AwaitOutcome.of(engine.heartbeat(resource, fence), busy -> busy);
        return outcome instanceof HeartbeatOutcome.Extended(Claim claim)
                ? new HeartbeatOutcome.Extended(leases.limited(claim))
                : outcome;
    }

    /** Extends all confirmed claims of a holder and returns the claims it has lost. */
    public HolderHeartbeat heartbeat(String holder) {
        Text.holder(holder);
        HolderHeartbeat beat = store.write(transaction -> rows.heartbeat(transaction, holder));
        return new HolderHeartbeat(leases.limited(beat.extended()), leases.limited(beat.unconfirmed()), beat.lost());
    }

    /**
     * As {@link #heartbeat(String)}, for a holder heard from at every turn: writes each claim at most once per minute
     * or third of its lease, and also renews grants that the holder has not named yet.
     */
    public HolderHeartbeat beat(String holder) {
        return throttle.beat(Text.holder(holder));
    }

    /** Records that the holder has received these; later heartbeats do not report them again. */
    public void markReported(String holder, List<DisplacedClaim> lost) {
        if (!lost.isEmpty()) {
            store.write(transaction -> {
                for (DisplacedClaim displacement : lost) {
                    ResourceTable.markReported(transaction, holder, displacement);
                }
                return lost.size();
            });
        }
    }

    /**
     * The guard of every change to a claimed resource: call it first in that change's transaction, and change nothing
     * if it returns a refusal.
     */
    public Optional<Refusal> guard(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        return rows.guard(transaction, resource, fence);
    }

    // Ending

    public EndOutcome release(Claim claim, @Nullable String note) {
        return release(claim.resource(), claim.fence(), Ending.released(note));
    }

    @Override
    public EndOutcome release(Resource resource, Fence fence, Ending ending) {
        return end(resource, fence, ending);
    }

    public EndOutcome complete(Resource resource, Fence fence, String outcome) {
        return end(resource, fence, Ending.completed(outcome));
    }

    /** Counts a failed attempt; the resource becomes ready again after a delay, or is parked if it failed too often. */
    public EndOutcome fail(Resource resource, Fence fence, String error, @Nullable Duration retryAfter) {
        return end(resource, fence, Ending.failed(error, retryAfter));
    }

    public EndOutcome end(Resource resource, Fence fence, Ending ending) {
        EndOutcome outcome = AwaitOutcome.of(engine.end(resource, fence, ending), busy -> busy);
        if (ending.retryAfter() != null) {
            due.look();
        }
        return outcome;
    }

    /** Ends one claim and, if that was accepted or a replay, claims the next one in the same step. */
    public EndedAndNext completeAndNext(Resource resource, Fence fence, Ending ending, NextRequest next) {
        return AwaitOutcome.of(
                engine.endAndNext(resource, fence, ending, nextAttempt(next)), busy -> new EndedAndNext(busy, null));
    }

    /** Releases all claims of a holder and returns them. */
    public List<Claim> releaseAll(String holder, @Nullable String note) {
        return store.write(transaction -> rows.releaseAll(transaction, holder, note));
    }

    public List<Claim> releaseAll(Transaction transaction, String holder, @Nullable String note) throws SQLException {
        return rows.releaseAll(transaction, holder, note);
    }

    /** Reclaims everything held by a holder known to be dead, as if its leases had expired; returns those claims. */
    public List<Claim> reclaimAll(Transaction transaction, String holder, String reason) throws SQLException {
        return reclaims.reclaimAll(transaction, holder, reason);
    }

    // Creating and reclaiming

    /**
     * Makes a resource claimable; false if it already exists (after an outage, possibly because this same call created
     * it).
     */
    public boolean create(NewResource made) {
        Pending<Boolean> created = store.write(transaction -> availability.askCreate(transaction, made, null));
        if (made.notBefore() != null) {
            due.look();
        }
        return created.answer();
    }

    /** Makes a resource claimable, in the transaction that creates the thing itself. */
    public boolean create(Transaction transaction, NewResource made) throws SQLException {
        return availability.askCreate(transaction, made, null).get();
    }

    /** Makes a blocked or parked resource claimable again. */
    public boolean unblock(Resource resource) {
        return store.write(transaction -> availability.unblock(transaction, resource));
    }

    /**
     * Reclaims if this is still the current grant: its holder is fenced out, and notified at its next heartbeat. False
     * if it is not (after an outage, possibly because this same call reclaimed it).
     */
    public boolean reclaim(Resource resource, long expectedGeneration, String reason) {
        return store.write(transaction -> reclaims.reclaim(transaction, resource, expectedGeneration, reason, null));
    }

    /**
     * As {@link #reclaim(Resource, long, String)}, at somebody's request; the event names them.
     *
     * @return the former holder; empty if this is no longer the current grant
     */
    public Optional<String> takeBack(Resource resource, long expectedGeneration, String by, String reason) {
        return store.write(transaction -> {
            String holder = transactional
                    .lock(transaction, resource)
                    .map(LockedClaim::holder)
                    .orElse(null);
            if (holder == null) {
                return Optional.empty();
            }
            DomainEvent event = new DomainEvent("reclaimed", by, Map.of("displaced", holder, "reason", reason));
            return reclaims.reclaim(transaction, resource, expectedGeneration, reason, event)
                    ? Optional.of(holder)
                    : Optional.empty();
        });
    }

    /**
     * Reclaims at most this many expired claims; several brokers may sweep at once, and a bad row does not stop the
     * rest.
     */
    public List<Resource> sweep(int max) {
        return sweeping.sweep(max);
    }

    // Reading

    /** Everything held now, soft claims included, oldest first. */
    public List<Claim> held(@Nullable Kind kind, @Nullable String holder, @Nullable String queue) {
        List<Claim> all = store.read(transaction -> Holdings.list(transaction, kind, holder, queue));
        return leases.limited(all);
    }

    /** Resources of this kind whose id starts with the given id, at most this many; an exact match comes first. */
    public List<Resource> beginning(Resource with, int max) {
        return store.read(transaction -> Holdings.beginning(transaction, with, max));
    }

    /** Who holds it now; empty if nobody does. */
    public Optional<String> holder(Resource resource) {
        return store.read(transaction -> Holdings.holder(transaction, resource));
    }

    /** Who holds resources of this kind whose id starts with the given id. */
    public List<String> holdersBeginning(Resource with) {
        return store.read(transaction -> Holdings.holdersBeginning(transaction, with));
    }

    /** The resource's queue; empty if there is no such resource. */
    public Optional<String> queue(Resource resource) {
        return store.read(transaction -> Holdings.queue(transaction, resource));
    }

    /** The queues of this kind with something claimable that has these labels, the queue with the best item first. */
    public List<String> queues(Kind kind, Set<String> labels) {
        return store.read(transaction -> Candidates.queues(transaction, kind, labels));
    }

    /** How many resources of each kind are in each state, and how old the oldest ready one is. */
    public List<Holdings.Depth> depths() {
        return store.read(Holdings::depths);
    }

    /** How many different agents and people hold something. */
    public long holders() {
        return store.read(Holdings::holders);
    }

    /** Whether anybody holds a claim with its own lease; brokers do not count. */
    public boolean anythingHeld() {
        return store.read(Holdings::anythingHeld);
    }

    LeaseCounts leaseCounts() {
        return store.read(Holdings::leaseCounts);
    }

    /** Appends an event for watchers; the claim itself does not change. */
    void appendEvent(Claim about, DomainEvent event) {
        store.write(transaction -> {
            transactional.appendEvent(transaction, about.resource(), about.generation(), event);
            return true;
        });
    }

    /** The live feed of events. */
    public EventTail tail() {
        return tail;
    }

    /** Where other changes append their events. */
    public Events events() {
        return events;
    }

    /** The same operations for domains that claim inside their own transactions. */
    public TransactionalClaims transactional() {
        return transactional;
    }

    /** How many callers wait for something of this kind. */
    public int waiting(Kind kind) {
        return signals.waiting(Announcements.topic(kind));
    }

    /** How many callers wait for this resource. */
    public int waiting(Resource resource) {
        return signals.waiting(Announcements.topic(resource));
    }

    public Leases leases() {
        return leases;
    }

    /** Something was postponed; it may be the next to come due. */
    void checkDue() {
        due.look();
    }

    /** Tells which share of the candidates this broker tries first, out of this many brokers on the store. */
    void share(int share, int shares) {
        ready.share(share, shares);
    }

    /** Answers all waiters with what there is, and lets nobody wait any more. */
    public void stopWaiting() {
        signals.close();
    }

    @Override
    public void close() {
        stopWaiting();
        due.close();
        tail.close();
        engine.close();
    }

    long lease(Kind kind) {
        return leases.micros(kind, null);
    }

    long lease(ClaimRequest asked) {
        return leases.micros(asked.resource().kind(), asked.ttl());
    }

    NextAttempt nextAttempt(NextRequest asked) {
        return new NextAttempt(asked, leases.micros(asked.kind(), asked.ttl()), requestId(asked.requestId()), true);
    }

    /** Marks every grant, so that a second run of the same statement recognises what the first did. */
    String requestId(@Nullable String given) {
        return given != null
                ? given
                : Integer.toString(store.origin(), 36) + "." + Long.toString(calls.incrementAndGet(), 36);
    }
}
