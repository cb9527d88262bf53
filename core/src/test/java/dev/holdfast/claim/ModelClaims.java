package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.claim.ModelThing.Ended;
import dev.holdfast.claim.ModelThing.Grant;
import dev.holdfast.claim.ModelThing.Status;
import dev.holdfast.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The oracle: the claim engine's promises in plain collections, one call at a time. Written from the design, not from
 * the engine, and as simply as possible; where it and a store answer differently, one of them is wrong.
 */
final class ModelClaims implements Subject {
    private static final Comparator<ModelThing> BEST_FIRST =
            Comparator.<ModelThing>comparingInt(thing -> thing.made.priority()).thenComparingLong(thing -> thing.age);

    private record Notice(String holder, DisplacedClaim lost) {}

    private final Leases leases = Leases.defaults();
    private final Map<String, ModelThing> things = new TreeMap<>();
    private final List<DomainEvent> events = new ArrayList<>();
    private final List<Notice> notices = new ArrayList<>();
    private Instant now = SettableClock.START;
    private long nextAge;
    private long generationFloor;

    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        OuterClaim under = asked.under();
        if (under != null) {
            return claimSoftly(asked, under);
        }
        Optional<ModelThing> found = findOrMake(asked.resource());
        if (found.isEmpty()) {
            return new Refusal.NotFound(asked.resource());
        }
        ModelThing thing = found.get();
        Duration lease = lease(asked.resource().kind(), asked.ttl());
        Grant grant = thing.grant;
        if (grant != null
                && !grant.soft()
                && grant.holder().equals(asked.holder())
                && (sameRequest(grant, asked.requestId()) || Objects.equals(asked.generation(), grant.generation()))) {
            thing.grant = grant.renewed(now, lease, asked.generation() != null);
            return new AlreadyHeld(claimOf(thing), thing.note);
        }
        return canBeTaken(thing) ? give(thing, asked.holder(), lease, asked.requestId()) : refuse(thing, thing.grant);
    }

    private ClaimOutcome claimSoftly(ClaimRequest asked, OuterClaim under) {
        Optional<ModelThing> outer = find(under.resource());
        if (outer.isEmpty()) {
            return new Refusal.NotFound(under.resource());
        }
        Optional<Refusal> refusal = judgeItself(outer.get(), new Fence(asked.holder(), under.generation()));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (grantOf(outer.get()).soft()) {
            return new Refusal.NotClaimable(
                    asked.resource(), "asked for under " + under.resource() + ", which is itself a soft claim");
        }
        Optional<ModelThing> found = findOrMake(asked.resource());
        if (found.isEmpty()) {
            return new Refusal.NotFound(asked.resource());
        }
        ModelThing thing = found.get();
        Grant grant = thing.grant;
        if (grant != null
                && under.equals(grant.under())
                && grant.holder().equals(asked.holder())
                && !canBeTaken(thing)) {
            return new AlreadyHeld(claimOf(thing), thing.note);
        }
        if (!canBeTaken(thing)) {
            return refuse(thing, grant);
        }
        if (parkedInstead(thing)) {
            return new Refusal.NotClaimable(thing.resource(), "blocked");
        }
        Displaced displaced = displace(thing, asked.holder());
        thing.grant =
                new Grant(asked.holder(), under.generation(), now, now, null, null, true, asked.requestId(), under);
        thing.notBefore = null;
        thing.kept = false;
        thing.idleSince = null;
        tell(displaced == null ? "claimed" : "taken_over", thing, asked.holder(), under.generation());
        return new Granted(claimOf(thing), displaced, thing.note);
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        Duration lease = lease(asked.kind(), asked.ttl());
        Predicate<ModelThing> ofKindAndQueue = thing -> thing.resource().kind() == asked.kind()
                && (asked.filter().queue() == null
                        || thing.made.queue().equals(asked.filter().queue()));
        Predicate<ModelThing> wanted = ofKindAndQueue.and(thing -> !thing.kept
                && thing.made.labels().containsAll(asked.filter().labels())
                && Collections.disjoint(thing.made.labels(), asked.filter().except()));
        Optional<ModelThing> own = best(ofKindAndQueue.and(thing -> isItsOwn(thing.grant, asked)));
        if (own.isPresent()) {
            ModelThing thing = own.get();
            thing.grant = grantOf(thing).renewed(now, lease, false);
            return new AlreadyHeld(claimOf(thing), thing.note);
        }
        Optional<ModelThing> ready = best(wanted.and(thing -> thing.grant == null && canBeTaken(thing)));
        if (ready.isPresent()) {
            return give(ready.get(), asked.holder(), lease, asked.requestId());
        }
        while (true) {
            Optional<ModelThing> expired = best(wanted.and(thing -> ranOut(thing.grant)));
            if (expired.isEmpty()) {
                return new Nothing();
            }
            if (give(expired.get(), asked.holder(), lease, asked.requestId()) instanceof Granted granted) {
                return granted;
            }
        }
    }

    /**
     * With a request id, the grant of that request, however late; without one, an unexpired grant that was never
     * confirmed.
     */
    private boolean isItsOwn(@Nullable Grant grant, NextRequest asked) {
        return grant != null
                && !grant.soft()
                && grant.holder().equals(asked.holder())
                && (asked.requestId() == null
                        ? !grant.confirmed() && !ranOut(grant)
                        : sameRequest(grant, asked.requestId()));
    }

    private ClaimOutcome give(ModelThing thing, String holder, Duration lease, @Nullable String requestId) {
        if (parkedInstead(thing)) {
            return new Refusal.NotClaimable(thing.resource(), "blocked");
        }
        Displaced displaced = displace(thing, holder);
        thing.generation++;
        thing.grant = new Grant(holder, thing.generation, now, now, now.plus(lease), lease, false, requestId, null);
        thing.status = Status.READY;
        thing.notBefore = null;
        thing.kept = false;
        thing.idleSince = null;
        tell(displaced == null ? "claimed" : "taken_over", thing, holder, thing.generation);
        return new Granted(claimOf(thing), displaced, thing.note);
    }

    /** A confirmed claim that expired is a failed attempt; if it was one too many, the thing is parked. */
    private boolean parkedInstead(ModelThing thing) {
        Grant before = thing.grant;
        boolean parked = before != null && !before.soft() && before.confirmed() && thing.failedOnceMore();
        if (parked) {
            takeBack(thing, "expired", "parked", Status.BLOCKED);
        }
        return parked;
    }

    private @Nullable Displaced displace(ModelThing thing, String by) {
        Grant before = thing.grant;
        if (before == null) {
            return null;
        }
        if (!before.holder().equals(by)) {
            notice(before, thing, "expired");
        }
        return new Displaced(before.holder(), before.generation());
    }

    @Override
    public HeartbeatOutcome heartbeat(Resource resource, Fence fence) {
        Optional<ModelThing> found = find(resource);
        if (found.isEmpty()) {
            return resource.kind().freeStanding()
                    ? new Refusal.Lost(resource, null, 0)
                    : new Refusal.NotFound(resource);
        }
        ModelThing thing = found.get();
        Optional<Refusal> refusal = judge(thing, fence);
        if (refusal.isPresent()) {
            return lost(thing, refusal.get());
        }
        Grant grant = grantOf(thing);
        if (!grant.soft()) {
            thing.grant = grant.renewed(now, Objects.requireNonNull(grant.lease()), true);
        }
        return new HeartbeatOutcome.Extended(claimOf(thing));
    }

    @Override
    public HolderHeartbeat heartbeat(String holder) {
        List<Claim> extended = new ArrayList<>();
        List<Claim> unconfirmed = new ArrayList<>();
        for (ModelThing thing : things.values()) {
            Grant grant = thing.grant;
            if (grant == null || grant.soft() || !grant.holder().equals(holder)) {
                continue;
            }
            if (grant.confirmed()) {
                thing.grant = grant.renewed(now, Objects.requireNonNull(grant.lease()), true);
                extended.add(claimOf(thing));
            } else {
                unconfirmed.add(claimOf(thing));
            }
        }
        List<DisplacedClaim> lost = notices.stream()
                .filter(notice -> notice.holder().equals(holder))
                .map(Notice::lost)
                .sorted(Comparator.comparing(
                                (DisplacedClaim one) -> one.resource().toString())
                        .thenComparingLong(DisplacedClaim::generation))
                .toList();
        return new HolderHeartbeat(extended, unconfirmed, lost);
    }

    @Override
    public void markReported(String holder, List<DisplacedClaim> lost) {
        notices.removeIf(notice -> notice.holder().equals(holder) && lost.contains(notice.lost()));
    }

    @Override
    public Optional<Refusal> guard(Resource resource, Fence fence) {
        Optional<ModelThing> found = find(resource);
        if (found.isEmpty()) {
            return Optional.of(new Refusal.NotFound(resource));
        }
        Optional<Refusal> refusal = judge(found.get(), fence);
        if (refusal.isEmpty()) {
            found.get().grant = grantOf(found.get()).named();
        }
        return refusal;
    }

    @Override
    public EndOutcome end(Resource resource, Fence fence, Ending ending) {
        Optional<ModelThing> found = find(resource);
        if (found.isEmpty()) {
            return resource.kind().freeStanding() ? new Refusal.NotHeld(resource) : new Refusal.NotFound(resource);
        }
        ModelThing thing = found.get();
        Optional<Refusal> refusal = judge(thing, fence);
        if (refusal.isEmpty()) {
            return giveUp(thing, ending);
        }
        Ended before = thing.ended;
        if (before != null
                && before.holder().equals(fence.holder())
                && Objects.equals(before.generation(), fence.generation())) {
            return repeats(before.ending(), ending)
                    ? new EndOutcome.Ended(
                            resource,
                            before.generation(),
                            ending.how(),
                            true,
                            ending.how() == Ending.How.FAILED && thing.grant == null && thing.status == Status.BLOCKED)
                    : new Refusal.BadState(resource, words(before.ending()));
        }
        boolean plain = ending.how() != Ending.How.RELEASED || refusal.get() instanceof Refusal.NotHeld;
        return plain ? refusal.get() : lost(thing, refusal.get());
    }

    private EndOutcome giveUp(ModelThing thing, Ending ending) {
        Grant grant = grantOf(thing);
        thing.ended = new Ended(grant.holder(), grant.generation(), ending);
        boolean parked = false;
        switch (ending.how()) {
            case RELEASED -> {
                thing.kept = thing.kept || ending.keepStatus();
                thing.note = ending.note() == null ? thing.note : ending.note();
                thing.free(Status.READY, now);
            }
            case COMPLETED -> {
                thing.note = null;
                thing.free(Status.DONE, now);
            }
            case FAILED -> {
                thing.note = ending.note() == null ? thing.note : ending.note();
                parked = thing.failedOnceMore();
                thing.free(parked ? Status.BLOCKED : Status.READY, now);
                Duration retryAfter = ending.retryAfter();
                thing.notBefore = parked || retryAfter == null ? null : now.plus(retryAfter);
            }
        }
        tell(parked ? "parked" : ending.how().toString(), thing, grant.holder(), grant.generation());
        return new EndOutcome.Ended(thing.resource(), grant.generation(), ending.how(), false, parked);
    }

    @Override
    public EndedAndNext completeAndNext(Resource resource, Fence fence, Ending ending, NextRequest next) {
        EndOutcome ended = end(resource, fence, ending);
        return new EndedAndNext(ended, ended instanceof EndOutcome.Ended ? claimNext(next) : null);
    }

    @Override
    public List<Claim> releaseAll(String holder, @Nullable String note) {
        List<Claim> released = new ArrayList<>();
        for (ModelThing thing : things.values()) {
            Grant grant = thing.grant;
            if (grant != null && grant.holder().equals(holder)) {
                released.add(claimOf(thing, grant.until() == null ? now : grant.until()));
                giveUp(thing, Ending.released(note));
            }
        }
        return released;
    }

    @Override
    public boolean create(NewResource made) {
        if (find(made.resource()).isPresent()) {
            return false;
        }
        ModelThing thing = make(made);
        thing.idleSince = made.blocked() ? null : now;
        events.add(new DomainEvent(now, "created", thing.resource(), null, null));
        return true;
    }

    @Override
    public boolean unblock(Resource resource) {
        Optional<ModelThing> found = find(resource);
        if (found.isEmpty() || found.get().grant != null || found.get().status != Status.BLOCKED) {
            return false;
        }
        ModelThing thing = found.get();
        thing.status = Status.READY;
        thing.idleSince = now;
        thing.attempts = 0;
        tell("unblocked", thing, null, thing.generation);
        return true;
    }

    @Override
    public boolean reclaim(Resource resource, long expectedGeneration, String reason) {
        Optional<ModelThing> found = find(resource);
        Grant grant = found.map(thing -> thing.grant).orElse(null);
        if (grant == null || grant.soft() || grant.generation() != expectedGeneration) {
            return false;
        }
        takeBack(found.orElseThrow(), reason, "reclaimed", Status.READY);
        return true;
    }

    @Override
    public List<Resource> sweep(int max) {
        List<Resource> swept = new ArrayList<>();
        for (ModelThing thing : things.values()) {
            Grant grant = thing.grant;
            if (swept.size() < max && grant != null && ranOut(grant)) {
                boolean parked = grant.confirmed() && thing.failedOnceMore();
                takeBack(thing, "expired", parked ? "parked" : "reclaimed", parked ? Status.BLOCKED : Status.READY);
                swept.add(thing.resource());
            }
        }
        int orphans = 0;
        for (ModelThing thing : things.values()) {
            Grant grant = thing.grant;
            if (orphans < max && grant != null && grant.soft() && outerOf(grant).isEmpty()) {
                takeBack(thing, "outer claim over", "reclaimed", Status.READY);
                swept.add(thing.resource());
                orphans++;
            }
        }
        return swept;
    }

    private void takeBack(ModelThing thing, String reason, String type, Status status) {
        Grant grant = grantOf(thing);
        notice(grant, thing, reason);
        if (!grant.soft()) {
            thing.generation++;
        }
        thing.free(status, now);
        tell(type, thing, null, thing.generation);
    }

    @Override
    public List<Claim> held() {
        return things.values().stream()
                .filter(thing -> thing.grant != null
                        && (!thing.grant.soft() || outerOf(thing.grant).isPresent()))
                .map(this::claimOf)
                .sorted(Comparator.comparing(Claim::claimedAt)
                        .thenComparing(claim -> claim.resource().toString()))
                .toList();
    }

    @Override
    public List<DomainEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public int dropIdle() {
        Instant before = now.minus(KEYS_ARE_KEPT);
        List<ModelThing> idle = things.values().stream()
                .filter(thing -> thing.resource().kind().freeStanding()
                        && thing.grant == null
                        && thing.status == Status.READY
                        && thing.idleSince != null
                        && thing.idleSince.isBefore(before))
                .toList();
        for (ModelThing thing : idle) {
            generationFloor = Math.max(generationFloor, thing.generation);
            things.remove(thing.resource().toString());
        }
        return idle.size();
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void advance(Duration step) {
        now = now.plus(step);
    }

    @Override
    public void close() {}

    /** The generation that a fence on this resource must show now; 0 if the resource does not exist. */
    long fence(Resource resource) {
        return find(resource).map(ModelThing::fence).orElse(0L);
    }

    /** Who has it now, or had it last; null: nobody yet. */
    @Nullable
    String holder(Resource resource) {
        Optional<ModelThing> found = find(resource);
        Grant grant = found.map(thing -> thing.grant).orElse(null);
        Ended last = found.map(thing -> thing.ended).orElse(null);
        return grant != null ? grant.holder() : last == null ? null : last.holder();
    }

    /** Held, by this holder, at this generation; a soft claim is valid only as long as its outer one. */
    private Optional<Refusal> judge(ModelThing thing, Fence fence) {
        Optional<Refusal> refusal = judgeItself(thing, fence);
        if (refusal.isPresent()
                || !grantOf(thing).soft()
                || outerOf(grantOf(thing)).isPresent()) {
            return refusal;
        }
        Resource outer = Objects.requireNonNull(grantOf(thing).under()).resource();
        return find(outer)
                .filter(found -> found.grant == null || !found.grant.soft())
                .map(found -> judgeItself(found, fence))
                .orElse(Optional.of(new Refusal.NotHeld(outer)));
    }

    private Optional<Refusal> judgeItself(ModelThing thing, Fence fence) {
        String holder = fence.holder();
        Long generation = fence.generation();
        if (holder == null || generation == null) {
            return Optional.of(new Refusal.FenceMissing(thing.resource()));
        }
        if (generation != thing.fence()) {
            return Optional.of(new Refusal.Stale(thing.resource(), generation, thing.fence()));
        }
        Grant grant = thing.grant;
        String given = grant != null
                ? grant.holder()
                : thing.ended != null && thing.ended.generation() == generation ? thing.ended.holder() : null;
        if (given != null && !given.equals(holder)) {
            return Optional.of(new Refusal.WrongHolder(thing.resource(), holder, given));
        }
        return grant == null ? Optional.of(new Refusal.NotHeld(thing.resource())) : Optional.empty();
    }

    private Refusal lost(ModelThing thing, Refusal refusal) {
        if (refusal instanceof Refusal.FenceMissing) {
            return refusal;
        }
        Grant grant = thing.grant;
        boolean alive = grant != null && (!grant.soft() || outerOf(grant).isPresent());
        return new Refusal.Lost(
                thing.resource(),
                alive && grant != null ? grant.holder() : null,
                alive ? thing.fence() : thing.generation);
    }

    /** The thing whose current grant keeps this soft one alive. */
    private Optional<ModelThing> outerOf(Grant soft) {
        OuterClaim under = Objects.requireNonNull(soft.under());
        return find(under.resource())
                .filter(outer -> outer.grant != null
                        && !outer.grant.soft()
                        && outer.grant.generation() == under.generation()
                        && outer.grant.holder().equals(soft.holder()));
    }

    private boolean canBeTaken(ModelThing thing) {
        Grant grant = thing.grant;
        if (grant == null) {
            return thing.status == Status.READY && thing.due(now);
        }
        return grant.soft()
                ? outerOf(grant).filter(outer -> !ranOut(outer.grant)).isEmpty()
                : ranOut(grant);
    }

    private boolean ranOut(@Nullable Grant grant) {
        return grant != null && grant.until() != null && !grant.until().isAfter(now);
    }

    private Refusal refuse(ModelThing thing, @Nullable Grant grant) {
        if (grant != null) {
            Instant until = Objects.requireNonNull(until(grant));
            return new Refusal.Held(
                    thing.resource(),
                    grant.holder(),
                    grant.since(),
                    until,
                    Duration.between(now, until),
                    grant.under());
        }
        return new Refusal.NotClaimable(
                thing.resource(),
                thing.status == Status.READY
                        ? "not due before " + thing.notBefore
                        : thing.status.name().toLowerCase(Locale.ROOT));
    }

    private @Nullable Instant until(Grant grant) {
        return grant.soft()
                ? outerOf(grant).map(outer -> grantOf(outer).until()).orElse(null)
                : grant.until();
    }

    private Claim claimOf(ModelThing thing) {
        return claimOf(thing, Objects.requireNonNull(until(grantOf(thing))));
    }

    private Claim claimOf(ModelThing thing, Instant until) {
        Grant grant = grantOf(thing);
        return new Claim(
                thing.resource(),
                grant.holder(),
                grant.generation(),
                grant.since(),
                grant.renewed(),
                until,
                grant.confirmed(),
                thing.attempts,
                grant.under());
    }

    private Optional<ModelThing> findOrMake(Resource resource) {
        Optional<ModelThing> found = find(resource);
        return found.isPresent() || !resource.kind().freeStanding()
                ? found
                : Optional.of(make(NewResource.of(resource)));
    }

    private ModelThing make(NewResource made) {
        long generation = made.resource().kind().freeStanding() ? generationFloor : 0;
        ModelThing thing = new ModelThing(made, nextAge++, generation);
        things.put(made.resource().toString(), thing);
        return thing;
    }

    private Optional<ModelThing> find(Resource resource) {
        return Optional.ofNullable(things.get(resource.toString()));
    }

    private Optional<ModelThing> best(Predicate<ModelThing> wanted) {
        Stream<ModelThing> all = things.values().stream();
        return all.filter(wanted).min(BEST_FIRST);
    }

    private void notice(Grant grant, ModelThing thing, String reason) {
        DisplacedClaim lost = new DisplacedClaim(thing.resource(), grant.generation(), reason);
        boolean known = notices.stream()
                .anyMatch(notice -> notice.holder().equals(grant.holder())
                        && notice.lost().resource().equals(lost.resource())
                        && notice.lost().generation() == lost.generation());
        if (!known) {
            notices.add(new Notice(grant.holder(), lost));
        }
    }

    private void tell(String type, ModelThing thing, @Nullable String actor, long generation) {
        events.add(new DomainEvent(now, type, thing.resource(), actor, generation));
    }

    private Duration lease(Kind kind, @Nullable Duration asked) {
        return Duration.ofNanos(leases.micros(kind, asked) * 1_000);
    }

    /** A repeat may ask for a different delay before the next attempt: the first one counts. */
    private static boolean repeats(Ending before, Ending now) {
        return before.how() == now.how()
                && before.outcome().equals(now.outcome())
                && before.content().equals(now.content())
                && Objects.equals(before.note(), now.note())
                && before.keepStatus() == now.keepStatus();
    }

    private static boolean sameRequest(Grant grant, @Nullable String requestId) {
        return requestId != null && requestId.equals(grant.requestId());
    }

    private static String words(Ending ending) {
        return ending.outcome().isEmpty() ? ending.how().toString() : ending.how() + " as " + ending.outcome();
    }

    private static Grant grantOf(ModelThing thing) {
        return Objects.requireNonNull(thing.grant);
    }
}
