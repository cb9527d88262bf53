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

/** Whether the store answers, and the broker stays. Its migrations are done before anything else starts. */
final class Health {
    private static final Sql SOMETHING = Sql.of("SELECT count(*) AS count FROM agents WHERE id = ''");
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Store store;
    private volatile boolean leaving;

    Health(Store store) {
        this.store = store;
    }

    /** From now on it is not ready, whatever the store says. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Why calls should go elsewhere, if they should: the store can't be used now, or the broker is about to stop. */
    Optional<String> trouble() {
        if (leaving) {
            return Optional.of("this broker is stopping");
        }
        Executor virtual = Thread::startVirtualThread;
        return CompletableFuture.supplyAsync(
                        // not behind the calls: a broker that is full is not a broker without a store
                        () -> Share.CHORES.call(() -> store.read(
                                transaction -> transaction.first(SOMETHING, _ -> {}, row -> row.number("count")))),
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
