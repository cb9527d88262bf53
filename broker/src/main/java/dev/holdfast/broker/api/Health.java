package dev.holdfast.broker.api;

import dev.holdfast.store.Share;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether the store answers and the broker is not stopping. Migrations finish before anything else starts. */
final class Health {
    private static final Sql SOMETHING = Sql.of("SELECT count(*) AS count FROM agents WHERE id = ''");
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Store store;
    private volatile boolean leaving;

    Health(Store store) {
        this.store = store;
    }

    /** From now on the broker is not ready, whatever the state of the store. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Why calls should go elsewhere, if they should: the store is unavailable, or the broker is stopping. */
    Optional<String> trouble() {
        if (leaving) {
            return Optional.of("this broker is stopping");
        }
        Executor virtual = Thread::startVirtualThread;
        return CompletableFuture.supplyAsync(
                        // not from the connections for calls: a busy broker still has a store
                        () -> Share.CHORES
                                .turn()
                                .call(() -> store.read(transaction ->
                                        transaction.first(SOMETHING, _ -> {}, row -> row.number("count")))),
                        virtual)
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((_, failure) -> Optional.ofNullable(failure).map(Health::reason))
                .join();
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof TimeoutException
                ? "the store has not answered for " + PATIENCE.toSeconds() + " s"
                : String.valueOf(cause.getMessage());
    }
}
