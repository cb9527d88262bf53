package dev.holdfast.store;

import java.sql.SQLException;

/**
 * What one transaction does.
 *
 * <p>It must be safe to run more than once: if the answer to a commit is lost, the store runs it again before anybody
 * is answered, and it does the same after a deadlock or a lock timeout.
 */
@FunctionalInterface
public interface Work<T> {
    T in(Transaction transaction) throws SQLException;
}
