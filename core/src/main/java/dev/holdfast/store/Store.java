package dev.holdfast.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where everything is stored. There are two implementations, {@link SqliteStore} in a folder and {@link PostgresStore}
 * on a server, with the same guarantees: an acknowledged change is durable, and a transaction happens completely or not
 * at all.
 */
public abstract sealed class Store implements AutoCloseable permits SqliteStore, PostgresStore {
    private final Engine engine;
    private final int origin = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
    private volatile StoreObserver observer = StoreObserver.NONE;

    Store(Engine engine) {
        this.engine = engine;
    }

    public final Engine engine() {
        return engine;
    }

    /**
     * Runs one short transaction and returns when it is durable.
     *
     * @throws BusyException if the database is still locked, full or unreachable after bounded retries; nothing was
     *     changed
     * @throws StoreException if the statement itself was wrong; nothing was changed
     */
    public abstract <T> T write(Work<T> work);

    /** As {@link #write}, without waiting: the future completes after the commit. */
    public abstract <T> CompletableFuture<T> submit(Work<T> work);

    /** Reads on a separate connection, without blocking any writer. */
    public abstract <T> T read(Work<T> work);

    /** A number drawn at start that distinguishes this store's own events from other brokers'. */
    public final int origin() {
        return origin;
    }

    /** Receives the store's metrics. */
    public final StoreObserver observer() {
        return observer;
    }

    public final void observer(StoreObserver receiver) {
        observer = receiver;
    }

    @Override
    public abstract void close();
}
