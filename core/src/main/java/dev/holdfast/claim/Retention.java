package dev.holdfast.claim;

import dev.holdfast.event.Events;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.util.List;

/** Drops what is old: keys that nobody has held for long, and old events. */
public final class Retention {
    private static final int AT_ONCE = 500;

    private final Store store;
    private final Duration keys;
    private final Duration events;

    /**
     * @param keys how long a free-standing key that nobody holds is remembered
     * @param events how long events are kept
     */
    public Retention(Store store, Duration keys, Duration events) {
        this.store = store;
        this.keys = keys;
        this.events = events;
    }

    /** Drops a bounded number; returns how many rows went. Zero means that nothing old is left. */
    public int drop() {
        int dropped = store.write(transaction -> {
            long before = transaction.now() - keys.toNanos() / 1_000;
            List<ResourceRow> idle = ResourceTable.idle(transaction, before, AT_ONCE);
            long highest = idle.stream().mapToLong(row -> row.generation).max().orElse(0);
            ResourceTable.raiseFloor(transaction, highest); // first: later grants must stay above what is dropped
            for (ResourceRow row : idle) {
                ResourceTable.delete(transaction, row);
            }
            return idle.size();
        });
        return dropped
                + store.write(transaction -> {
                    long before = transaction.now() - events.toNanos() / 1_000;
                    return ResourceTable.forget(transaction, before) + Events.dropOld(transaction, before, AT_ONCE);
                });
    }
}
