package dev.holdfast.store;

import java.sql.SQLException;

/**
 * What one transaction does.
 *
 * <p>It must be safe to run again: after a commit whose answer was lost the store runs it a second time before
 * anybody is answered, and after a deadlock or a lock timeout it runs it anew.
 */
@FunctionalInterface
public interface Work<T> {
    T in(Transaction transaction) throws SQLException;
}
