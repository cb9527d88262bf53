package dev.holdfast.store;

import java.util.concurrent.CompletableFuture;

/**
 * Where everything is stored. There are two implementations, {@link SqliteStore} in a folder and {@link PostgresStore}
 * on a server, with the same guarantees: an acknowledged change is durable, and a transaction happens completely or not
 * at all.
 */
public interface Store extends AutoCloseable {
    Engine engine();

    /**
     * Runs one short transaction and returns when it is durable.
     *
     * @throws BusyException if the database is still locked, full or unreachable after bounded retries; nothing was
     *     changed
     * @throws StoreException if the statement itself was wrong; nothing was changed
     */
    <T> T write(Work<T> work);

    /** As {@link #write}, without waiting: the future completes after the commit. */
    <T> CompletableFuture<T> submit(Work<T> work);

    /** Reads on a separate connection, without blocking any writer. */
    <T> T read(Work<T> work);

    /** A number drawn at start that distinguishes this store's own events from other brokers'. */
    int origin();

    /** Receives the store's metrics. */
    StoreObserver observer();

    void observer(StoreObserver observer);

    @Override
    void close();
}
