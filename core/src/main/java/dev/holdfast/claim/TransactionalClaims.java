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
 * The claims of things that belong to a domain, such as reviews, changed inside the domain's own transaction and recorded in
 * its words. Lock the row first; whatever the domain reads after that cannot change before it commits.
 */
public final class TransactionalClaims {
    private final Claims claims;
    private final RowClaims rows;
    private final Reclaims reclaims;
    private final Availability availability;
    private final Adoption adoption;

    TransactionalClaims(
            Claims claims, RowClaims rows, Reclaims reclaims, Availability availability, Adoption adoption) {
        this.claims = claims;
        this.rows = rows;
        this.reclaims = reclaims;
        this.availability = availability;
        this.adoption = adoption;
    }

    /** Locks the row until the transaction ends; empty when it does not exist. */
    public Optional<LockedClaim> lock(Transaction transaction, Resource resource) throws SQLException {
        return askLock(transaction, resource).get();
    }

    /** As {@link #lock}, in one round trip with what is asked after it, which then cannot change any more. */
    public Pending<Optional<LockedClaim>> askLock(Transaction transaction, Resource resource) throws SQLException {
        Pending<Optional<ResourceRow>> locked = ResourceTable.askLock(transaction, resource.toString());
        Pending<Long> now = transaction.askNow();
        return () -> {
            Optional<ResourceRow> row = locked.get();
            return row.isEmpty() ? Optional.empty() : Optional.of(new LockedClaim(row.get(), now.get()));
        };
    }

    /** Locks the rows of those that there are, in the order of their names. */
    public void lockAll(Transaction transaction, List<Resource> resources) throws SQLException {
        ResourceTable.lockAll(
                transaction, resources.stream().map(Resource::toString).toList());
    }

    /** Makes a thing claimable, or hands it to somebody who waits for it; false when it exists already. */
    public boolean create(Transaction transaction, NewResource made, DomainEvent event) throws SQLException {
        if (made.notBefore() != null) {
            transaction.afterCommit(claims::lookWhatIsDue);
        }
        return availability.create(transaction, made, event);
    }

    /**
     * Takes a thing over from another broker, or brings it up to what it has become there; returns its generation here.
     * A claim's lease runs from when it was last seen there, so that old ones can be taken at once.
     */
    public long adopt(Transaction transaction, Adopted adopted, DomainEvent event) throws SQLException {
        return adoption.adopt(
                transaction, adopted, claims.lease(adopted.made().resource().kind()), event);
    }

    /** As {@link Claims#claim}, without waiting. */
    public ClaimOutcome claim(Transaction transaction, ClaimRequest asked) throws SQLException {
        return rows.claim(transaction, asked, claims.lease(asked), claims.requestId(asked.requestId()));
    }

    /** Ends a claim that is held, and not softly, for its holder: whose fence it is has been looked at. */
    public void end(Transaction transaction, LockedClaim locked, Ending ending, DomainEvent event) throws SQLException {
        if (locked.claim() == null) {
            throw new IllegalStateException("nobody holds " + locked.resource());
        }
        rows.end(transaction, locked.row(), ending, event, locked.now());
    }

    /** Ends a claim if this is its fence. */
    public EndOutcome end(Transaction transaction, LockedClaim locked, Fence fence, Ending ending, DomainEvent event)
            throws SQLException {
        return rows.end(transaction, locked.locked(transaction), fence, ending, event, locked.now());
    }

    /**
     * Completes the claims whose fences these are, of a kind that is never held softly and each named once. Everything
     * is locked first, in the order of the names; the answers are in the order asked.
     */
    public List<EndOutcome> completeAll(Transaction transaction, List<Completion> asked) throws SQLException {
        return rows.completeAll(transaction, asked);
    }

    /** Takes a claim back if it is still this grant; its holder is fenced out, and the thing is ready. */
    public boolean reclaim(
            Transaction transaction, Resource resource, long expectedGeneration, String reason, DomainEvent event)
            throws SQLException {
        return reclaims.reclaim(transaction, resource, expectedGeneration, reason, event);
    }

    /**
     * Takes a claim back, soft ones too, if its lease has run out; its holder is fenced out and notified.
     *
     * @return false when it is alive or held by nobody: then nothing has changed
     */
    public boolean reclaimExpired(Transaction transaction, Resource resource, String reason) throws SQLException {
        return reclaims.reclaimExpired(transaction, resource, reason);
    }

    /**
     * Makes a thing that nobody holds ready again, whether it was done or not.
     *
     * @param kept ready, but not to be given away by claim-next
     */
    public void reopen(Transaction transaction, Resource resource, boolean kept, DomainEvent event)
            throws SQLException {
        availability.reopen(transaction, resource, kept, event);
    }

    /** Nobody is to claim it any more; whoever holds it is fenced out. */
    public void retire(Transaction transaction, Resource resource, String reason, DomainEvent event)
            throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            reclaims.retire(transaction, row.get(), reason, event);
        }
    }

    /** The thing is gone for good; nobody holds it, and its id is never used again. */
    public void forget(Transaction transaction, Resource resource) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            ResourceTable.deleteAll(transaction, List.of(resource.toString()));
        }
    }

    /** The thing belongs to another queue from now on. */
    public void move(Transaction transaction, Resource resource, String queue) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            availability.sort(
                    transaction,
                    row.get(),
                    Text.limited("queue", queue, Text.LONGEST_HOLDER),
                    row.get().priority,
                    row.get().labels);
        }
    }

    /** Claim-next is to choose the thing by these from now on. */
    public void sort(Transaction transaction, Resource resource, String queue, int priority, Set<String> labels)
            throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            availability.sort(transaction, row.get(), queue, priority, labels);
        }
    }

    /** As {@link #claim(Transaction, ClaimRequest)}, of what is locked already; never softly. */
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
     * The guard of a change that only the holder may make; empty when it may. Whatever is wrong with the fence, the
     * claim is lost, and the refusal names the current holder.
     */
    public Optional<Refusal> guard(Transaction transaction, Resource resource, Fence fence) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        return locked.isEmpty() ? Optional.of(new Refusal.NotFound(resource)) : guard(transaction, locked.get(), fence);
    }

    /** As {@link #guard(Transaction, Resource, Fence)}, of what is locked already. */
    public Optional<Refusal> guard(Transaction transaction, LockedClaim locked, Fence fence) throws SQLException {
        return guard(transaction, locked.locked(transaction), fence);
    }

    private Optional<Refusal> guard(Transaction transaction, LockedRow locked, Fence fence) throws SQLException {
        return rows.guard(transaction, locked, fence).map(why -> Rules.asLost(locked.row(), locked.outer(), why));
    }

    /** Nobody is to be given it: at once or, if it is held, as soon as it is let go. What is done stays done. */
    public void block(Transaction transaction, Resource resource) throws SQLException {
        availability.block(transaction, resource);
    }

    /**
     * It may be given to somebody again.
     *
     * @param forgiven its failed attempts are forgotten; if not, what is parked for them stays so
     */
    public void unblock(Transaction transaction, Resource resource, boolean forgiven) throws SQLException {
        availability.unblock(transaction, resource, forgiven);
    }

    /** Not to be claimed before then (null: from now on); for a thing that nobody holds. */
    public void putOff(Transaction transaction, Resource resource, @Nullable Instant notBefore) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent() && !row.get().held()) {
            availability.putOff(transaction, row.get(), notBefore == null ? null : LeaseClock.micros(notBefore));
            transaction.afterCommit(claims::lookWhatIsDue);
        }
    }

    /** What the next holder is to know, if this one does not come to say it. */
    public void note(Transaction transaction, Resource resource, String note) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            row.get().note = Text.limited("note", note, Text.LONGEST_NOTE);
            ResourceTable.update(transaction, row.get());
        }
    }

    /** Who completed it; empty when nobody has. */
    public Optional<String> completedBy(Transaction transaction, Resource resource) throws SQLException {
        return ResourceTable.look(transaction, resource.toString())
                .filter(row -> row.state == State.DONE)
                .map(row -> row.endedBy);
    }

    /** What claim-next would give of this kind and queue, so many at most, the first first. */
    public List<Resource> offered(Transaction transaction, Kind kind, String queue, int most) throws SQLException {
        return Candidates.ready(transaction, kind, Filter.queue(queue), most).stream()
                .map(item -> Resource.parse(item.key()))
                .toList();
    }

    /** How many things of a kind this one holds; call it after locking whatever keeps that from changing. */
    public long heldCount(Transaction transaction, Kind kind, String holder) throws SQLException {
        return ResourceTable.heldCount(transaction, kind, holder);
    }

    /** Calls this domain, in the same transaction, whenever a claim of this kind is taken back. */
    public void onTakenBack(Kind kind, ReclaimListener domain) {
        reclaims.onTakenBack(kind, domain);
    }

    /** Something that happened before the thing came here. */
    public void tellPast(
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

    /** A change that leaves the claim as it is. */
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
