package dev.holdfast.store;

import java.util.concurrent.CompletableFuture;

/**
 * Where everything is kept. Two of them exist, {@link SqliteStore} in a folder and {@link PostgresStore} on a server,
 * and they promise the same: a change that was answered is durable, and a transaction happens whole or not at all.
 */
public interface Store extends AutoCloseable {
    Engine engine();

    /**
     * Runs one short transaction and returns when it is durable.
     *
     * @throws BusyException when the database is locked, full or away after bounded retries; nothing was changed
     * @throws StoreException when the statement itself was wrong; nothing was changed
     */
    <T> T write(Work<T> work);

    /** As {@link #write}, without waiting: the future ends after the commit. */
    <T> CompletableFuture<T> submit(Work<T> work);

    /** Reads on a connection of its own, without holding up any writer. */
    <T> T read(Work<T> work);

    /** A number drawn at start, which distinguishes this store's own events from other brokers'. */
    int origin();

    /** Who hears how the store is doing. */
    StoreObserver observer();

    void observer(StoreObserver observer);

    @Override
    void close();
}
