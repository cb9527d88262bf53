package dev.holdfast.claim;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;

/** What a domain does, in the same transaction, when a claim on one of its things is reclaimed. */
@FunctionalInterface
public interface ReclaimListener {
    /** @param parked its leases expired too often; nobody can claim it until somebody unparks it */
    void reclaimed(Transaction transaction, Resource resource, boolean parked) throws SQLException;
}
