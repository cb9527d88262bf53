package dev.holdfast.claim;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of things that belong to a domain, such as reviews, changed inside the domain's own transaction and told in
 * its words. Lock the row first; whatever the domain reads after that cannot change before it commits.
 */
public final class Gate {
    private final Claims claims;
    private final RowClaims rows;
    private final Reclaims reclaims;
    private final Supply supply;

    Gate(Claims claims, RowClaims rows, Reclaims reclaims, Supply supply) {
        this.claims = claims;
        this.rows = rows;
        this.reclaims = reclaims;
        this.supply = supply;
    }

    /** Locks the row until the transaction ends; empty when there is no such thing. */
    public Optional<Standing> lock(Transaction transaction, Resource resource) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        return row.isEmpty() ? Optional.empty() : Optional.of(Standing.of(row.get(), transaction.now()));
    }

    /** Makes a thing claimable, or hands it to somebody who waits for it; false when it exists already. */
    public boolean create(Transaction transaction, NewResource made, Told told) throws SQLException {
        return supply.create(transaction, made, told);
    }

    /** As {@link Claims#claim}, without waiting. A thing that was kept out of claim-next is not any longer. */
    public ClaimOutcome claim(Transaction transaction, ClaimRequest asked) throws SQLException {
        ClaimOutcome outcome = rows.claim(transaction, asked, claims.lease(asked), claims.requestId(asked.requestId()));
        if (outcome instanceof ClaimOutcome.Granted) {
            supply.offer(transaction, asked.resource());
        }
        return outcome;
    }

    /** Ends a claim if this is its fence. */
    public EndOutcome end(Transaction transaction, Resource resource, Fence fence, Ending ending, Told told)
            throws SQLException {
        return rows.end(transaction, resource, fence, ending, told);
    }

    /** Takes a claim back if it is still this grant; its holder is fenced out, and the thing is ready. */
    public boolean reclaim(
            Transaction transaction, Resource resource, long expectedGeneration, String reason, Told told)
            throws SQLException {
        return reclaims.reclaim(transaction, resource, expectedGeneration, reason, told);
    }

    /**
     * Makes a thing that nobody holds ready again, whether it was done or not.
     *
     * @param kept ready, but not to be given away by claim-next
     */
    public void reopen(Transaction transaction, Resource resource, boolean kept, Told told) throws SQLException {
        supply.reopen(transaction, resource, kept, told);
    }

    /** Nobody is to claim it any more; whoever holds it is fenced out. */
    public void retire(Transaction transaction, Resource resource, String reason, Told told) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
        if (row.isPresent()) {
            reclaims.retire(transaction, row.get(), reason, told);
        }
    }

    /** The thing belongs to another queue from now on; reopen or reclaim it in the same transaction. */
    public void move(Transaction transaction, Resource resource, String queue) throws SQLException {
        ResourceTable.move(transaction, resource, Text.limited("queue", queue, Text.LONGEST_HOLDER));
    }

    /** A change that leaves the claim as it is. */
    public void tell(Transaction transaction, Resource resource, @Nullable Long generation, Told told)
            throws SQLException {
        claims.events()
                .append(
                        transaction,
                        transaction.now(),
                        told.type(),
                        resource.toString(),
                        told.actor(),
                        generation,
                        ClaimEvents.json(told.detail()));
    }
}
