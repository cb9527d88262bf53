package dev.holdfast.task;

import dev.holdfast.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done because tasks have ended. Several brokers may work on it: each thing is taken by one of them for a
 * while, and is due again if that one does not come back. So everything is done at least once, and must bear a repeat.
 */
public final class Outbox {
    private static final int LONGEST_ERROR = 1_000;

    /**
     * Something to do.
     *
     * @param payload JSON: what the task's {@code on_finish} said
     * @param attempt the first, the second, ...
     */
    public record Due(String taskId, String payload, long attempt) {}

    /**
     * How it stands with what one task wanted done.
     *
     * @param dueAt when it is tried next; null: it is done or given up
     */
    record Standing(
            long attempts,
            @Nullable String lastError,
            @Nullable Instant dueAt,
            @Nullable Instant deliveredAt) {}

    private final Store store;

    Outbox(Store store) {
        this.store = store;
    }

    /** The next thing to do, which is this caller's for so long. */
    public Optional<Due> take(Duration mine) {
        return store.write(transaction -> OutboxTable.take(transaction, transaction.now() + mine.toNanos() / 1_000));
    }

    public void done(Due due) {
        store.write(transaction -> OutboxTable.end(transaction, due, null, null, transaction.now()));
    }

    /** @param again after how long; null: it is given up */
    public void failed(Due due, String error, @Nullable Duration again) {
        String told = error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR) + "…";
        store.write(transaction -> OutboxTable.end(
                transaction, due, again == null ? null : transaction.now() + again.toNanos() / 1_000, told, null));
    }
}
