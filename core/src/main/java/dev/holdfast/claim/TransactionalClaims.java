package dev.holdfast.claim;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims on things that belong to a domain, such as reviews, changed inside the domain's own transaction and with the
 * domain's own events. Lock the row first: what the domain reads after that cannot change before it commits.
 */
public final class TransactionalClaims {
    private final Claims claims;
    private final RowClaims rows;
    private final Reclaims reclaims;
    private final Availability availability;
    private final ResourceImport adoption;

    TransactionalClaims(
            Claims claims, RowClaims rows, Reclaims reclaims, Availability availability, ResourceImport adoption) {
        this.claims = claims;
        this.rows = rows;
        this.reclaims = reclaims;
        this.availability = availability;
        this.adoption = adoption;
    }

    /** Locks the row until the transaction ends; empty if it does not exist. */
    public Optional<LockedClaim> lock(Transaction transaction, Resource resource) throws SQLException {
        return askLock(transaction, resource).get();
    }

    /** As {@link #lock}, in one round trip with the queries after it, whose results then cannot change any more. */
    public Pending<Optional<LockedClaim>> askLock(Transaction transaction, Resource resource) throws SQLException {
        Pending<Optional<ResourceRow>> locked = ResourceTable.askLock(transaction, resource.toString());
        Pending<Long> now = transaction.askNow();
        return () -> {
            Optional<ResourceRow> row = locked.get();
            return row.isEmpty() ? Optional.empty() : Optional.of(new LockedClaim(row.get(), now.get()));
        };
    }

    /** Locks the rows that exist, in name order. */
    public void lockAll(Transaction transaction, List<Resource> resources) throws SQLException {
        ResourceTable.lockAll(
                transaction, resources.stream().map(Resource::toString).toList());
    }

    /** Creates a resource, or grants it to somebody waiting for it; false if it already exists. */
    public boolean create(Transaction transaction, NewResource made, DomainEvent event) throws SQLException {
        if (made.notBefore() != null) {
            transaction.afterCommit(claims::checkDue);
        }
        return availability.askCreate(transaction, made, event).get();
    }

    /**
     * Imports a resource from another broker, or updates it to its state there; returns its generation here. A claim's
     * lease runs from when it was last seen there, so that old ones can be taken over at once.
     */
    public long adopt(Transaction transaction, ImportedResource adopted, DomainEvent event) throws SQLException {
        return adoption.adopt(
                transaction, adopted, claims.lease(adopted.made().resource().kind()), event);
    }

    /** As {@link Claims#claim}, without waiting. */
    public ClaimOutcome claim(Transaction transaction, ClaimRequest asked) throws SQLException {
        return rows.claim(transaction, asked, claims.lease(asked), claims.requestId(asked.requestId()));
    }

    /** Ends a claim for its holder; it must not be soft, and the caller has checked the fence. */
    public void end(Transaction transaction, LockedClaim locked, Ending ending, DomainEvent event) throws SQLException {
        if (locked.claim() == null) {
            throw new IllegalStateException("nobody holds " + locked.resource());
        }
        rows.end(transaction, locked.row(), ending, event, locked.now());
    }

    /** Ends a claim if the fence matches. */
    public EndOutcome end(Transaction transaction, LockedClaim locked, Fence fence, Ending ending, DomainEvent event)
            throws SQLException {
        return rows.end(transaction, locked.locked(transaction), fence, ending, event, locked.now());
    }

    /**
     * Completes the claims whose fences match. The kind must be one that is never held softly, and each resource must
     * be named once. Locks everything first, in name order; the outcomes are in request order.
     */
    public List<EndOutcome> completeAll(Transaction transaction, List<Completion> asked) throws SQLException {
        return rows.completeAll(transaction, asked);
    }

    /** Reclaims if this is still the current grant; its holder is fenced out, and the resource is ready. */
    public boolean reclaim(
            Transaction transaction, Resource resource, long expectedGeneration, String reason, DomainEvent event)
            throws SQLException {
        return reclaims.reclaim(transaction, resource, expectedGeneration, reason, event);
    }

    /**
     * Reclaims a claim, soft or not, if its lease has expired; its holder is fenced out and notified.
     *
     * @return false if it is still valid or nobody holds it; nothing changes then
     */
    public boolean reclaimExpired(Transaction transaction, Resource resource, String reason) throws SQLException {
        return reclaims.reclaimExpired(transaction, resource, reason);
    }

    /**
     * Makes a resource that nobody holds ready again, whether or not it was done.
     *
     * @param kept ready, but not offered by claim-next
     */
    public void reopen(Transaction transaction, Resource resource, boolean kept, DomainEvent event)
            throws SQLException {
        availability.reopen(transaction, resource, kept, event);
    }

    /** Marks the resource done, so that nobody can claim it; whoever holds it is fenced out. */
    public void retire(Transaction transaction, Resource resource, String reason, DomainEvent event)
            throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            reclaims.retire(transaction, row.get(), reason, event);
        }
    }

    /** Deletes a resource whose thing is gone for good; nobody holds it, and its id is never used again. */
    public void forget(Transaction transaction, Resource resource) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            ResourceTable.deleteAll(transaction, List.of(resource.toString()));
        }
    }

    /** Changes what claim-next chooses the resource by. */
    public void sort(Transaction transaction, Resource resource, String queue, int priority, Set<String> labels)
            throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            availability.sort(transaction, row.get(), queue, priority, labels);
        }
    }

    /** As {@link #claim(Transaction, ClaimRequest)}, for a row that is already locked; never softly. */
    public ClaimOutcome claim(Transaction transaction, LockedClaim locked, ClaimRequest asked) throws SQLException {
        return rows.claim(
                transaction,
                locked.locked(transaction),
                asked,
                claims.lease(asked),
                claims.requestId(asked.requestId()),
                locked.now());
    }

    /** As {@link Claims#claimNext}, without waiting. */
    public ClaimOutcome next(Transaction transaction, NextRequest asked) throws SQLException {
        return rows.next(transaction, claims.nextAttempt(asked));
    }

    /**
     * The guard of a change that only the holder may make; empty if it may. Any mismatch of the fence is reported as a
     * lost claim, and the refusal names the current holder.
     */
    public Optional<Refusal> guard(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        return locked.isEmpty() ? Optional.of(new Refusal.NotFound(resource)) : guard(transaction, locked.get(), fence);
    }

    /** As {@link #guard(Transaction, Resource, Fence)}, for a row that is already locked. */
    public Optional<Refusal> guard(Transaction transaction, LockedClaim locked, Fence fence) throws SQLException {
        return guard(transaction, locked.locked(transaction), fence);
    }

    private Optional<Refusal> guard(Transaction transaction, LockedRow locked, Fence fence) throws SQLException {
        return rows.guard(transaction, locked, fence).map(why -> Rules.asLost(locked.row(), locked.outer(), why));
    }

    /**
     * Stops the resource from being claimed: at once or, if it is held, once it is released. A resource that is done
     * stays done.
     */
    public void block(Transaction transaction, Resource resource) throws SQLException {
        availability.block(transaction, resource);
    }

    /**
     * Lets the resource be claimed again.
     *
     * @param forgiven reset the failed attempts; otherwise a resource that they parked stays parked
     */
    public void unblock(Transaction transaction, Resource resource, boolean forgiven) throws SQLException {
        availability.unblock(transaction, resource, forgiven);
    }

    /** Postpones a resource that nobody holds until this time (null: claimable now). */
    public void postpone(Transaction transaction, Resource resource, @Nullable Instant notBefore) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent() && !row.get().held()) {
            availability.postpone(transaction, row.get(), notBefore == null ? null : LeaseClock.micros(notBefore));
            transaction.afterCommit(claims::checkDue);
        }
    }

    /** Sets the handoff note in advance, in case this holder never gets to leave one. */
    public void note(Transaction transaction, Resource resource, String note) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            row.get().note = Text.limited("note", note, Text.LONGEST_NOTE);
            ResourceTable.update(transaction, row.get());
        }
    }

    /** Who completed it; empty if nobody has. */
    public Optional<String> completedBy(Transaction transaction, Resource resource) throws SQLException {
        return ResourceTable.look(transaction, resource.toString())
                .filter(row -> row.state == State.DONE)
                .map(row -> row.endedBy);
    }

    /** What claim-next would hand out from this queue, at most this many, best first. */
    public List<Resource> offered(Transaction transaction, Kind kind, String queue, int max) throws SQLException {
        return Candidates.ready(transaction, kind, Filter.queue(queue), max).stream()
                .map(item -> Resource.parse(item.key()))
                .toList();
    }

    /** How many resources of a kind this holder holds; first lock whatever keeps that number from changing. */
    public long heldCount(Transaction transaction, Kind kind, String holder) throws SQLException {
        return ResourceTable.heldCount(transaction, kind, holder);
    }

    /** Calls this domain, in the same transaction, whenever a claim of this kind is reclaimed. */
    public void onTakenBack(Kind kind, ReclaimListener domain) {
        reclaims.onTakenBack(kind, domain);
    }

    /** Appends an event for something that happened before the thing was imported. */
    public void appendPastEvent(
            Transaction transaction, Resource resource, long at, @Nullable Long generation, DomainEvent event)
            throws SQLException {
        claims.events()
                .append(
                        transaction,
                        at,
                        event.type(),
                        resource.toString(),
                        event.actor(),
                        generation,
                        ClaimEvents.json(event.detail()));
    }

    /** Appends an event for a change that leaves the claim as it is. */
    public void appendEvent(Transaction transaction, Resource resource, @Nullable Long generation, DomainEvent event)
            throws SQLException {
        claims.events()
                .append(
                        transaction,
                        transaction.now(),
                        event.type(),
                        resource.toString(),
                        event.actor(),
                        generation,
                        ClaimEvents.json(event.detail()));
    }
}
