package dev.holdfast.store;

import java.sql.SQLException;

/** The result of a query that is sent to the database together with others; see {@link Transaction#ask}. */
@FunctionalInterface
public interface Pending<T> {
    /** Sends whatever is queued, unless that has already happened. */
    T get() throws SQLException;
}
