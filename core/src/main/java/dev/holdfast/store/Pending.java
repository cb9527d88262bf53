package dev.holdfast.store;

import java.sql.SQLException;

/** The result of a query that is sent to the database together with others; see {@link Transaction#ask}. */
@FunctionalInterface
public interface Pending<T> {
    /** Sends whatever is queued, unless that has already happened. */
    T get() throws SQLException;

    /** The result, once its transaction has committed. */
    default T answer() {
        try {
            return get();
        } catch (SQLException e) {
            throw new IllegalStateException("asked of a transaction that is over", e);
        }
    }
}
