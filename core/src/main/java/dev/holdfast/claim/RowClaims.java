package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What holders do, one resource at a time, inside a transaction: lock the row, read the clock, decide by {@link Rules},
 * write the row and its event. The batched statements handle the frequent, clear-cut cases; everything else is done
 * this way.
 */
final class RowClaims {
    /**
     * Each time one caller is overtaken, another has received something; with a crowd competing for the last few, that
     * takes patience.
     */
    private static final int MAX_OVERTAKEN = 32;

    private final ClaimEvents events;
    private final Announcements announcements;
    private final Reclaims reclaims;
    private final Availability availability;
    private final NextExpiry nextExpiry = new NextExpiry();

    RowClaims(ClaimEvents events, Announcements announcements, Reclaims reclaims, Availability availability) {
        this.events = events;
        this.announcements = announcements;
        this.reclaims = reclaims;
        this.availability = availability;
    }

    ClaimOutcome claim(Transaction transaction, ClaimRequest asked, long lease, String requestId) throws SQLException {
        OuterClaim under = asked.under();
        if (under != null) {
            return claimSoftly(transaction, asked, under, requestId);
        }
        Optional<LockedRow> locked = LockedRow.findOrCreate(transaction, asked.resource());
        return locked.isEmpty()
                ? new Refusal.NotFound(asked.resource())
                : claim(transaction, locked.get(), asked, lease, requestId, transaction.now());
    }

    ClaimOutcome claim(
            Transaction transaction, LockedRow locked, ClaimRequest asked, long lease, String requestId, long now)
            throws SQLException {
        ResourceRow row = locked.row();
        if (Rules.alreadyHolds(row, asked, requestId)) {
            boolean secondRun = asked.requestId() == null && asked.generation() == null;
            Rules.renew(row, lease, asked.generation() != null, now);
            ResourceTable.update(transaction, row);
            return secondRun ? new Granted(row.claim(), null, row.note) : new AlreadyHeld(row.claim(), row.note);
        }
        if (!Rules.free(row, locked.outer(), now)) {
            return Rules.notFree(row, locked.outer(), now);
        }
        return give(transaction, row, asked.holder(), lease, requestId, now);
    }

    /** Claims under the caller's own claim on another resource, whose row is locked first. */
    private ClaimOutcome claimSoftly(Transaction transaction, ClaimRequest asked, OuterClaim under, String requestId)
            throws SQLException {
        Optional<ResourceRow> found =
                ResourceTable.lock(transaction, under.resource().toString());
        if (found.isEmpty()) {
            return new Refusal.NotFound(under.resource());
        }
        ResourceRow outer = found.get();
        Optional<Refusal> refusal = Rules.guard(outer, new Fence(asked.holder(), under.generation()));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (outer.under != null) {
            return new Refusal.NotClaimable(
                    asked.resource(), "asked for under " + under.resource() + ", which is itself a soft claim");
        }
        Optional<LockedRow> locked = LockedRow.findOrCreate(transaction, asked.resource());
        if (locked.isEmpty()) {
            return new Refusal.NotFound(asked.resource());
        }
        ResourceRow row = locked.get().row();
        long now = transaction.now();
        if (under.equals(row.under)
                && Rules.softlyHeld(row, outer, now)
                && asked.holder().equals(row.holder)) {
            return new AlreadyHeld(row.claim(outer.expiresAt), row.note);
        }
        if (!Rules.free(row, locked.get().outer(), now)) {
            return Rules.notFree(row, locked.get().outer(), now);
        }
        if (isBlockedInstead(transaction, row, now)) {
            return new Refusal.NotClaimable(row.resource, row.state.toString());
        }
        Displaced displaced = displace(transaction, row, asked.holder(), now);
        Rules.grantSoftly(row, asked.holder(), under, requestId, now);
        ResourceTable.update(transaction, row);
        events.granted(transaction, row, displaced, now);
        return new Granted(row.claim(outer.expiresAt), displaced, row.note);
    }

    /** Grants a free row. If its leases have expired too often, or it is barred, blocks it instead. */
    private ClaimOutcome give(
            Transaction transaction, ResourceRow row, String holder, long lease, String requestId, long now)
            throws SQLException {
        if (isBlockedInstead(transaction, row, now)) {
            return new Refusal.NotClaimable(row.resource, row.state.toString());
        }
        Displaced displaced = displace(transaction, row, holder, now);
        Rules.grant(row, holder, lease, requestId, transaction.leastGeneration(), now);
        ResourceTable.update(transaction, row);
        events.granted(transaction, row, displaced, now);
        return new Granted(row.claim(), displaced, row.note);
    }

    private boolean isBlockedInstead(Transaction transaction, ResourceRow row, long now) throws SQLException {
        if (!Rules.parksWhenItExpires(row) && !row.barred) {
            return false;
        }
        reclaims.reclaimRow(transaction, row, "expired", true, null, now);
        return true;
    }

    /** Records for the holder whose lease expired that it has lost the claim; its next heartbeat reports it. */
    private static @Nullable Displaced displace(Transaction transaction, ResourceRow row, String by, long now)
            throws SQLException {
        if (!row.held()) {
            return null;
        }
        String holder = Objects.requireNonNull(row.holder);
        Rules.countExpiry(row);
        if (!holder.equals(by)) {
            ResourceTable.displaceAll(transaction, List.of(row), "expired", now);
        }
        return new Displaced(holder, row.effectiveGeneration());
    }

    ClaimOutcome next(Transaction transaction, NextAttempt attempt) throws SQLException {
        NextRequest asked = attempt.asked();
        long now = transaction.now();
        Optional<ResourceRow> own = Candidates.own(transaction, asked, now);
        if (own.isPresent()) {
            ResourceRow row = own.get();
            Rules.renew(row, attempt.lease(), false, now);
            ResourceTable.update(transaction, row);
            return new AlreadyHeld(row.claim(), row.note);
        }
        availability.makeDue(transaction, now);
        for (int look = 0; look < MAX_OVERTAKEN; look++) {
            List<Item> ready = Candidates.ready(transaction, asked.kind(), asked.filter(), 1);
            if (ready.isEmpty()) {
                return takeOverBest(transaction, attempt);
            }
            Optional<ResourceRow> locked =
                    ResourceTable.lock(transaction, ready.getFirst().key());
            now = transaction.now();
            if (locked.isPresent() && locked.get().state == State.READY && Rules.free(locked.get(), null, now)) {
                return give(transaction, locked.get(), asked.holder(), attempt.lease(), attempt.requestId(), now);
            }
        }
        throw new BusyException("others took what was ready " + MAX_OVERTAKEN + " times; try again");
    }

    private ClaimOutcome takeOverBest(Transaction transaction, NextAttempt attempt) throws SQLException {
        NextRequest asked = attempt.asked();
        long now = transaction.now();
        while (nextExpiry.mayHavePassed(asked.kind(), now)) {
            Optional<ResourceRow> expired = Candidates.expired(transaction, asked.kind(), asked.filter(), now);
            if (expired.isEmpty()) {
                nextExpiry.look(transaction, asked.kind(), now);
                return new Nothing();
            }
            if (give(transaction, expired.get(), asked.holder(), attempt.lease(), attempt.requestId(), now)
                    instanceof Granted granted) {
                return granted;
            } // it was blocked instead: try the next one
            now = transaction.now();
        }
        return new Nothing();
    }

    HeartbeatOutcome heartbeat(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        if (locked.isEmpty()) {
            return Rules.missing(resource, new Refusal.Lost(resource, null, 0));
        }
        ResourceRow row = locked.get().row();
        ResourceRow outer = locked.get().outer();
        Optional<Refusal> refusal = locked.get().guard(fence);
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
                continue; // has no lease; its outer claim is renewed
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
        return end(transaction, resource, fence, ending, null);
    }

    /** @param event the domain's own event; null: the standard one */
    EndOutcome end(Transaction transaction, Resource resource, Fence fence, Ending ending, @Nullable DomainEvent event)
            throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        return locked.isEmpty()
                ? Rules.missing(resource, new Refusal.NotHeld(resource))
                : end(transaction, locked.get(), fence, ending, event, transaction.now());
    }

    EndOutcome end(
            Transaction transaction,
            LockedRow locked,
            Fence fence,
            Ending ending,
            @Nullable DomainEvent event,
            long now)
            throws SQLException {
        Optional<Refusal> refusal = locked.guard(fence);
        return refusal.isPresent()
                ? Rules.refuseEnding(locked.row(), locked.outer(), fence, ending, refusal.get())
                : end(transaction, locked.row(), ending, event, now);
    }

    /** Ends the claim on a row that is locked and held by the caller. */
    EndOutcome end(Transaction transaction, ResourceRow row, Ending ending, @Nullable DomainEvent event, long now)
            throws SQLException {
        boolean parked = Rules.end(row, ending, now);
        ResourceTable.update(transaction, row);
        events.ended(transaction, row, ending, parked, event, now);
        transaction.afterCommit(() -> announcements.freed(row));
        return ended(row, ending, parked);
    }

    private static EndOutcome ended(ResourceRow row, Ending ending, boolean parked) {
        return new EndOutcome.Ended(
                row.resource, Objects.requireNonNull(row.endedGeneration), ending.how(), false, parked);
    }

    /**
     * As {@link #end}, for several resources of a kind that is never held softly, each named once: locks all in one
     * query, updates all in one statement. The outcomes are in request order.
     */
    List<EndOutcome> completeAll(Transaction transaction, List<Completion> asked) throws SQLException {
        Map<Resource, ResourceRow> rows = new HashMap<>();
        for (ResourceRow row : ResourceTable.lockAll(
                transaction,
                asked.stream().map(one -> one.resource().toString()).toList())) {
            rows.put(row.resource, row);
        }
        long now = transaction.now();
        List<EndOutcome> outcomes = new ArrayList<>();
        List<ResourceRow> changed = new ArrayList<>();
        List<DomainEvent> domainEvents = new ArrayList<>();
        for (Completion one : asked) {
            ResourceRow row = rows.get(one.resource());
            Optional<Refusal> refusal = row == null ? Optional.empty() : Rules.guard(row, one.fence());
            if (row == null) {
                outcomes.add(new Refusal.NotFound(one.resource()));
            } else if (refusal.isPresent()) {
                outcomes.add(Rules.refuseEnding(row, null, one.fence(), one.ending(), refusal.get()));
            } else {
                outcomes.add(ended(row, one.ending(), Rules.end(row, one.ending(), now)));
                changed.add(row);
                domainEvents.add(one.event());
            }
        }
        ResourceTable.updateAll(transaction, changed);
        events.appendAll(transaction, changed, domainEvents, now);
        transaction.afterCommit(() -> changed.forEach(announcements::freed));
        return outcomes;
    }

    /** Releases everything that a holder has, at the end of its session. */
    List<Claim> releaseAll(Transaction transaction, String holder, @Nullable String note) throws SQLException {
        List<Claim> released = new ArrayList<>();
        List<ResourceRow> rows = ResourceTable.heldBy(transaction, holder);
        long now = transaction.now();
        for (ResourceRow row : rows) {
            released.add(row.claim(row.expiresAt == null ? Long.valueOf(now) : row.expiresAt));
            end(transaction, row, Ending.released(note), null, now);
        }
        return released;
    }

    /** The guard of a change to a claimed resource; call it first in that change's transaction. */
    Optional<Refusal> guard(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        return locked.isEmpty() ? Optional.of(new Refusal.NotFound(resource)) : guard(transaction, locked.get(), fence);
    }

    Optional<Refusal> guard(Transaction transaction, LockedRow locked, Fence fence) throws SQLException {
        ResourceRow row = locked.row();
        Optional<Refusal> refusal = locked.guard(fence);
        if (refusal.isEmpty() && !row.confirmed) {
            row.confirmed = true;
            ResourceTable.update(transaction, row);
        }
        return refusal;
    }
}
