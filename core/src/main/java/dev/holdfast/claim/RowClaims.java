package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.event.Events;
import dev.holdfast.event.Signals;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operations on claims, one resource at a time, inside a transaction: lock the row, read the clock, decide by
 * {@link Rules}, write the row and its event. SQLite does everything this way; PostgreSQL what its combined statement
 * leaves over.
 */
final class RowClaims {
    private static final int LOOKS = 3;

    private final Events events;
    private final Announcements announcements;
    private final Signals signals;

    RowClaims(Events events, Announcements announcements, Signals signals) {
        this.events = events;
        this.announcements = announcements;
        this.signals = signals;
    }

    /** A row under its lock, with the outer claim's row if it is held softly, locked before it. */
    private record Locked(ResourceRow row, @Nullable ResourceRow outer) {}

    ClaimOutcome claim(Transaction transaction, ClaimRequest asked, long lease, String requestId) throws SQLException {
        @Nullable ResourceRow outer = null;
        Under under = asked.under();
        if (under != null) {
            Optional<ResourceRow> found =
                    ResourceTable.lock(transaction, under.resource().toString());
            if (found.isEmpty()) {
                return new Refusal.NotFound(under.resource());
            }
            outer = found.get();
            Optional<Refusal> refusal = Rules.guard(outer, new Fence(asked.holder(), under.generation()));
            if (refusal.isPresent()) {
                return refusal.get();
            }
            if (outer.under != null) {
                return new Refusal.NotClaimable(
                        asked.resource(), "asked for under " + under.resource() + ", which is itself held softly");
            }
        }
        Optional<Locked> locked = lockOrMake(transaction, asked.resource());
        if (locked.isEmpty()) {
            return new Refusal.NotFound(asked.resource());
        }
        ResourceRow row = locked.get().row();
        long now = transaction.now();
        if (under != null && outer != null) {
            return claimSoftly(transaction, asked, row, outer, locked.get().outer(), requestId, now);
        }
        if (Rules.alreadyHolds(row, asked, requestId)) {
            boolean secondRun = asked.requestId() == null && asked.generation() == null;
            Rules.renew(row, lease, asked.generation() != null, now);
            ResourceTable.update(transaction, row);
            return secondRun ? new Granted(row.claim(), null, row.note) : new AlreadyHeld(row.claim(), row.note);
        }
        if (!Rules.free(row, locked.get().outer(), now)) {
            return Rules.notFree(row, locked.get().outer(), now);
        }
        return give(transaction, row, asked.holder(), lease, requestId, now);
    }

    private ClaimOutcome claimSoftly(
            Transaction transaction,
            ClaimRequest asked,
            ResourceRow row,
            ResourceRow outer,
            @Nullable ResourceRow itsOuter,
            String requestId,
            long now)
            throws SQLException {
        Under under = Objects.requireNonNull(asked.under());
        if (under.equals(row.under)
                && Rules.softlyHeld(row, outer, now)
                && asked.holder().equals(row.holder)) {
            return new AlreadyHeld(row.claim(outer.expiresAt), row.note);
        }
        if (!Rules.free(row, itsOuter, now)) {
            return Rules.notFree(row, itsOuter, now);
        }
        Displaced displaced = displace(transaction, row, asked.holder(), now);
        Rules.grantSoftly(row, asked.holder(), under, requestId, now);
        ResourceTable.update(transaction, row);
        tell(
                transaction,
                row,
                now,
                displaced == null ? "claimed" : "taken_over",
                asked.holder(),
                under.generation(),
                softDetail(under, displaced));
        return new Granted(row.claim(outer.expiresAt), displaced, row.note);
    }

    /** Grants a row that is free; one whose lease ran out once too often is parked instead. */
    private ClaimOutcome give(
            Transaction transaction, ResourceRow row, String holder, long lease, String requestId, long now)
            throws SQLException {
        if (row.held() && row.under == null && row.confirmed) {
            String expired = Objects.requireNonNull(row.holder);
            if (Rules.countFailure(row)) {
                park(transaction, row, expired, now);
                return new Refusal.NotClaimable(row.resource, State.BLOCKED.toString());
            }
        }
        Displaced displaced = displace(transaction, row, holder, now);
        Rules.grant(row, holder, lease, requestId, now);
        ResourceTable.update(transaction, row);
        tell(
                transaction,
                row,
                now,
                displaced == null ? "claimed" : "taken_over",
                holder,
                row.generation,
                displacedDetail(displaced));
        return new Granted(row.claim(), displaced, row.note);
    }

    private void park(Transaction transaction, ResourceRow row, String holder, long now) throws SQLException {
        ResourceTable.displace(transaction, holder, row.resource, row.generation, "expired", now);
        row.confirmed = false; // its failure is counted
        Rules.reclaim(row, true, now);
        row.state = State.BLOCKED;
        ResourceTable.update(transaction, row);
        tell(
                transaction,
                row,
                now,
                "parked",
                null,
                row.generation,
                json(Map.of("displaced", holder, "reason", "expired", "attempts", row.attempts)));
    }

    private @Nullable Displaced displace(Transaction transaction, ResourceRow row, String by, long now)
            throws SQLException {
        if (!row.held()) {
            return null;
        }
        String holder = Objects.requireNonNull(row.holder);
        long generation = row.under == null ? row.generation : row.under.generation();
        if (!holder.equals(by)) {
            ResourceTable.displace(transaction, holder, row.resource, generation, "expired", now);
        }
        return new Displaced(holder, generation);
    }

    ClaimOutcome next(Transaction transaction, Wish wish) throws SQLException {
        NextRequest asked = wish.asked();
        long now = transaction.now();
        Optional<ResourceRow> own = Candidates.own(transaction, asked, now);
        if (own.isPresent()) {
            ResourceRow row = own.get();
            Rules.renew(row, wish.lease(), false, now);
            ResourceTable.update(transaction, row);
            return new AlreadyHeld(row.claim(), row.note);
        }
        makeDue(transaction, now);
        for (int look = 0; look < LOOKS; look++) {
            List<Item> ready = Candidates.ready(transaction, asked.kind(), asked.filter(), 1);
            if (ready.isEmpty()) {
                return takeOverBest(transaction, wish);
            }
            Optional<ResourceRow> locked =
                    ResourceTable.lock(transaction, ready.getFirst().key());
            now = transaction.now();
            if (locked.isPresent() && locked.get().state == State.READY && Rules.free(locked.get(), null, now)) {
                return give(transaction, locked.get(), asked.holder(), wish.lease(), wish.requestId(), now);
            }
        }
        throw new BusyException("others took what was ready " + LOOKS + " times; try again");
    }

    private ClaimOutcome takeOverBest(Transaction transaction, Wish wish) throws SQLException {
        NextRequest asked = wish.asked();
        while (true) {
            long now = transaction.now();
            Optional<ResourceRow> expired = Candidates.expired(transaction, asked.kind(), asked.filter(), now);
            if (expired.isEmpty()) {
                return new Nothing();
            }
            if (give(transaction, expired.get(), asked.holder(), wish.lease(), wish.requestId(), now)
                    instanceof Granted granted) {
                return granted;
            } // it was parked instead: the next one
        }
    }

    HeartbeatOutcome heartbeat(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<Locked> locked = lock(transaction, resource);
        if (locked.isEmpty()) {
            return Rules.missing(resource, new Refusal.Lost(resource, null, 0));
        }
        ResourceRow row = locked.get().row();
        ResourceRow outer = locked.get().outer();
        Optional<Refusal> refusal = guard(row, outer, fence);
        if (refusal.isPresent()) {
            return Rules.asLost(row, outer, refusal.get());
        }
        if (outer != null) {
            return new HeartbeatOutcome.Extended(row.claim(outer.expiresAt));
        }
        Rules.renew(row, null, true, transaction.now());
        ResourceTable.update(transaction, row);
        return new HeartbeatOutcome.Extended(row.claim());
    }

    HolderHeartbeat heartbeat(Transaction transaction, String holder) throws SQLException {
        List<ResourceRow> rows = ResourceTable.heldBy(transaction, holder);
        long now = transaction.now();
        List<Claim> extended = new ArrayList<>();
        List<Claim> unconfirmed = new ArrayList<>();
        for (ResourceRow row : rows) {
            if (row.under != null) {
                continue; // lives by its outer claim
            }
            if (row.confirmed) {
                Rules.renew(row, null, true, now);
                ResourceTable.update(transaction, row);
                extended.add(row.claim());
            } else {
                unconfirmed.add(row.claim());
            }
        }
        return new HolderHeartbeat(extended, unconfirmed, ResourceTable.displaced(transaction, holder));
    }

    EndOutcome end(Transaction transaction, Resource resource, Fence fence, Ending ending) throws SQLException {
        Optional<Locked> locked = lock(transaction, resource);
        if (locked.isEmpty()) {
            return Rules.missing(resource, new Refusal.NotHeld(resource));
        }
        ResourceRow row = locked.get().row();
        long now = transaction.now();
        Optional<Refusal> refusal = guard(row, locked.get().outer(), fence);
        if (refusal.isPresent()) {
            return Rules.refuseEnding(row, locked.get().outer(), fence, ending, refusal.get());
        }
        return end(transaction, row, ending, now);
    }

    private EndOutcome end(Transaction transaction, ResourceRow row, Ending ending, long now) throws SQLException {
        String holder = Objects.requireNonNull(row.holder);
        boolean parked = Rules.end(row, ending, now);
        ResourceTable.update(transaction, row);
        long generation = Objects.requireNonNull(row.endedGeneration);
        tell(
                transaction,
                row,
                now,
                parked ? "parked" : ending.how().toString(),
                holder,
                generation,
                ending.eventDetail(row.attempts));
        transaction.afterCommit(() -> announcements.freed(row));
        return new EndOutcome.Ended(row.resource, generation, ending.how(), false, parked);
    }

    /** Lets go of everything that a holder has; for the end of its session. */
    List<Claim> releaseAll(Transaction transaction, String holder, @Nullable String note) throws SQLException {
        List<Claim> released = new ArrayList<>();
        List<ResourceRow> rows = ResourceTable.heldBy(transaction, holder);
        long now = transaction.now();
        for (ResourceRow row : rows) {
            released.add(row.claim(row.expiresAt == null ? Long.valueOf(now) : row.expiresAt));
            end(transaction, row, Ending.released(note), now);
        }
        return released;
    }

    /** The guard of a change to a claimed thing, to be called first in the transaction of that change. */
    Optional<Refusal> guard(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<Locked> locked = lock(transaction, resource);
        if (locked.isEmpty()) {
            return Optional.of(new Refusal.NotFound(resource));
        }
        ResourceRow row = locked.get().row();
        Optional<Refusal> refusal = guard(row, locked.get().outer(), fence);
        if (refusal.isEmpty() && !row.confirmed) {
            row.confirmed = true;
            ResourceTable.update(transaction, row);
        }
        return refusal;
    }

    /** A soft claim's guard is the outer's: once that grant is over, the soft one is too. */
    private static Optional<Refusal> guard(ResourceRow row, @Nullable ResourceRow outer, Fence fence) {
        Optional<Refusal> refusal = Rules.guard(row, fence);
        Under under = row.under;
        if (refusal.isEmpty() && under != null) {
            return outer == null || outer.under != null
                    ? Optional.of(new Refusal.NotHeld(under.resource()))
                    : Rules.guard(outer, fence);
        }
        return refusal;
    }

    boolean reclaim(Transaction transaction, Resource resource, long expectedGeneration, String reason)
            throws SQLException {
        Optional<Locked> locked = lock(transaction, resource);
        if (locked.isEmpty()) {
            return false;
        }
        ResourceRow row = locked.get().row();
        if (!row.held() || row.under != null || row.generation != expectedGeneration) {
            return false;
        }
        takeBack(transaction, row, reason, false, transaction.now());
        return true;
    }

    /** Takes back what has run out, so many at most; returns what was. */
    List<Resource> sweep(Transaction transaction, int most) throws SQLException {
        List<Resource> swept = new ArrayList<>();
        for (ResourceRow row : ResourceTable.expired(transaction, transaction.now(), most)) {
            long now = transaction.now();
            if (row.held() && row.expired(now)) {
                takeBack(transaction, row, "expired", true, now);
                swept.add(row.resource);
            }
        }
        return swept;
    }

    List<String> orphanedSoft(Transaction transaction, int most) throws SQLException {
        return ResourceTable.orphanedSoft(transaction, most);
    }

    /** Frees a soft claim whose outer grant is over. */
    boolean sweepSoft(Transaction transaction, String key) throws SQLException {
        Optional<Locked> locked = lock(transaction, Resource.parse(key));
        if (locked.isEmpty()) {
            return false;
        }
        ResourceRow row = locked.get().row();
        if (row.under == null || Rules.alive(row, locked.get().outer())) {
            return false;
        }
        takeBack(transaction, row, "outer claim over", true, transaction.now());
        return true;
    }

    private void takeBack(Transaction transaction, ResourceRow row, String reason, boolean expired, long now)
            throws SQLException {
        String holder = Objects.requireNonNull(row.holder);
        long generation = row.under == null ? row.generation : row.under.generation();
        ResourceTable.displace(transaction, holder, row.resource, generation, reason, now);
        boolean parked = Rules.reclaim(row, expired, now);
        ResourceTable.update(transaction, row);
        tell(
                transaction,
                row,
                now,
                parked ? "parked" : "reclaimed",
                null,
                row.generation,
                json(Map.of("displaced", holder, "reason", reason)));
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Makes a thing claimable, or hands it to somebody who waits for it, in the same commit. False: it exists. */
    boolean create(Transaction transaction, NewResource made) throws SQLException {
        ResourceRow row = ResourceRow.of(made);
        long now = transaction.now();
        if (row.notBefore != null && row.notBefore <= now) {
            row.notBefore = null;
        }
        row.readySince = row.state == State.READY ? Long.valueOf(now) : null;
        boolean ready = row.state == State.READY && row.notBefore == null;
        Optional<Signals.Waiter> waiter =
                ready ? signals.take(Announcements.topic(made.resource().kind()), Item.of(row)) : Optional.empty();
        if (waiter.isPresent()) {
            transaction.afterRollback(waiter.get()::putBack);
            Wish wish = (Wish) waiter.get().wish();
            Rules.grant(row, wish.asked().holder(), wish.lease(), wish.requestId(), now);
        }
        if (!ResourceTable.insert(transaction, row)) {
            waiter.ifPresent(taken -> transaction.afterCommit(taken::putBack));
            return false;
        }
        events.append(transaction, now, "created", row.resource.toString(), null, null, null);
        if (waiter.isPresent()) {
            tell(transaction, row, now, "claimed", row.holder, row.generation, null);
            transaction.afterCommit(() -> waiter.get().deliver(new Granted(row.claim(), null, null)));
        } else {
            transaction.afterCommit(() -> announcements.freed(row));
        }
        return true;
    }

    /** Lets a blocked thing be claimed; its failed attempts are forgiven. */
    boolean unblock(Transaction transaction, Resource resource) throws SQLException {
        Optional<ResourceRow> locked = ResourceTable.lock(transaction, resource.toString());
        if (locked.isEmpty() || locked.get().state != State.BLOCKED) {
            return false;
        }
        ResourceRow row = locked.get();
        long now = transaction.now();
        row.state = State.READY;
        row.readySince = now;
        row.attempts = 0;
        ResourceTable.update(transaction, row);
        tell(transaction, row, now, "unblocked", null, row.generation, null);
        transaction.afterCommit(() -> announcements.freed(row));
        return true;
    }

    /** Puts what has come due into the ready index. */
    void makeDue(Transaction transaction, long now) throws SQLException {
        List<ResourceRow> due = ResourceTable.makeDue(transaction, now);
        transaction.afterCommit(() -> due.forEach(announcements::freed));
    }

    private Optional<Locked> lockOrMake(Transaction transaction, Resource resource) throws SQLException {
        Optional<Locked> locked = lock(transaction, resource);
        if (locked.isPresent() || !resource.kind().freeStanding()) {
            return locked;
        }
        ResourceRow made = ResourceRow.of(NewResource.of(resource));
        made.generation = ResourceTable.floor(transaction);
        ResourceTable.insert(transaction, made);
        return lock(transaction, resource);
    }

    /** Locks a row, and before it, if it is held softly, the row of its outer claim. */
    private static Optional<Locked> lock(Transaction transaction, Resource resource) throws SQLException {
        if (transaction.engine() == Engine.SQLITE) {
            Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
            Under under = row.map(found -> found.under).orElse(null);
            ResourceRow outer = under == null
                    ? null
                    : ResourceTable.lock(transaction, under.resource().toString())
                            .orElse(null);
            return row.map(found -> new Locked(found, outer));
        }
        for (int look = 0; look < LOOKS; look++) {
            Under seen = ResourceTable.look(transaction, resource.toString())
                    .map(row -> row.under)
                    .orElse(null);
            ResourceRow outer = seen == null
                    ? null
                    : ResourceTable.lock(transaction, seen.resource().toString())
                            .orElse(null);
            Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
            Under under = row.map(found -> found.under).orElse(null);
            if (under == null || (seen != null && seen.resource().equals(under.resource()))) {
                return row.map(found -> new Locked(found, under == null ? null : outer));
            }
        }
        throw new BusyException(resource + " changed hands " + LOOKS + " times while it was looked at; try again");
    }

    private void tell(
            Transaction transaction,
            ResourceRow row,
            long now,
            String type,
            @Nullable String actor,
            long generation,
            @Nullable String detail)
            throws SQLException {
        events.append(transaction, now, type, row.resource.toString(), actor, generation, detail);
    }

    private static @Nullable String displacedDetail(@Nullable Displaced displaced) {
        return displaced == null
                ? null
                : json(Map.of("displaced", displaced.holder(), "displaced_generation", displaced.generation()));
    }

    private static String softDetail(Under under, @Nullable Displaced displaced) {
        return displaced == null
                ? json(Map.of("under", under.resource().toString()))
                : json(Map.of(
                        "under", under.resource().toString(),
                        "displaced", displaced.holder(),
                        "displaced_generation", displaced.generation()));
    }

    static String json(Map<String, ?> detail) {
        return JsonMapper.shared().writeValueAsString(new java.util.TreeMap<>(detail));
    }
}
