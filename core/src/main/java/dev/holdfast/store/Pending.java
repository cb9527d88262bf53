package dev.holdfast.store;

import java.sql.SQLException;

/** The answer to a question that goes to the database together with others; see {@link Transaction#ask}. */
@FunctionalInterface
public interface Pending<T> {
    /** Sends whatever waits to be sent, unless that has happened. */
    T get() throws SQLException;
}
