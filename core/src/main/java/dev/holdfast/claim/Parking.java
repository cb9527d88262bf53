package dev.holdfast.claim;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;

/** What a domain does when one of its things was parked because the leases on it ran out too often. */
@FunctionalInterface
public interface Parking {
    void parked(Transaction transaction, Resource resource) throws SQLException;
}
