package dev.holdfast.claim;

import dev.holdfast.event.Events;
import dev.holdfast.event.Events.Header;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.slf4j.LoggerFactory;

/**
 * Drops old data: keys that nobody has held for a long time, and old events. Events that a domain drops together with
 * their thing are left to that domain.
 */
public final class Retention {
    private static final int AT_ONCE = 500;

    /** Events that can be dropped together: an id range. */
    private record Run(long first, long last) {}

    private final Store store;
    private final Duration keys;
    private final Duration events;
    private final Set<Kind> withTheirThings;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(Retention.class), "drop");
    /** All events up to this id have been handled: dropped, or meant to stay. */
    private long looked;

    /**
     * @param keys how long a free-standing key that nobody holds is remembered
     * @param events how long events are kept
     * @param withTheirThings kinds whose events are kept as long as the things themselves
     */
    public Retention(Store store, Duration keys, Duration events, Set<Kind> withTheirThings) {
        this.store = store;
        this.keys = keys;
        this.events = events;
        this.withTheirThings = withTheirThings;
    }

    /** Drops a bounded number of rows and returns how many. Zero means that nothing old is left. */
    public synchronized int drop() {
        long now = store.read(transaction -> transaction.now());
        long before = now - events.toNanos() / 1_000;
        return dropKeys(now - keys.toNanos() / 1_000)
                + store.write(transaction -> ResourceTable.forget(transaction, before))
                + dropEvents(before);
    }

    private int dropKeys(long before) {
        int max = AT_ONCE + bad.count();
        List<String> idle = store.read(transaction -> ResourceTable.idle(transaction, before, max));
        return BadRows.either(
                () -> store.write(transaction -> dropKeys(transaction, idle, before)), () -> (int) idle.stream()
                        .filter(key -> bad.attempt(
                                key, () -> store.write(transaction -> dropKeys(transaction, List.of(key), before)) > 0))
                        .count());
    }

    private static int dropKeys(Transaction transaction, List<String> idle, long before) throws SQLException {
        Map<String, Long> still = ResourceTable.lockIdle(transaction, idle, before);
        long highest = still.values().stream()
                .mapToLong(generation -> generation)
                .max()
                .orElse(0);
        ResourceTable.raiseFloor(transaction, highest); // first: later grants must stay above the dropped generations
        ResourceTable.deleteAll(transaction, still.keySet());
        return still.size();
    }

    /** In id order, which is nearly time order, so that the scan stops at the first young event. */
    private int dropEvents(long before) {
        while (true) {
            long after = looked;
            List<Header> old = store.read(transaction -> Events.headers(transaction, after, AT_ONCE)).stream()
                    .takeWhile(event -> event.at() < before)
                    .toList();
            if (old.isEmpty()) {
                return 0;
            }
            List<Run> runs = runs(old);
            int dropped = runs.isEmpty()
                    ? 0
                    : BadRows.either(() -> store.write(transaction -> drop(transaction, runs)), () -> oneByOne(runs));
            looked = old.getLast().id();
            if (dropped > 0) {
                return dropped;
            }
        }
    }

    private static int drop(Transaction transaction, List<Run> runs) throws SQLException {
        int dropped = 0;
        for (Run run : runs) {
            dropped += Events.drop(transaction, run.first(), run.last());
        }
        return dropped;
    }

    private int oneByOne(List<Run> runs) {
        return (int) runs.stream()
                .flatMapToLong(run -> LongStream.rangeClosed(run.first(), run.last()))
                .filter(id -> bad.attempt(
                        "event " + id,
                        () -> store.write(transaction -> drop(transaction, List.of(new Run(id, id)))) > 0))
                .count();
    }

    private List<Run> runs(List<Header> old) {
        List<Run> runs = new ArrayList<>();
        boolean goesOn = false;
        for (Header event : old) {
            boolean stays = stays(event.resource());
            if (!stays && goesOn) {
                runs.add(new Run(runs.removeLast().first(), event.id()));
            } else if (!stays) {
                runs.add(new Run(event.id(), event.id()));
            }
            goesOn = !stays;
        }
        return runs;
    }

    private boolean stays(String resource) {
        return withTheirThings.stream().anyMatch(kind -> resource.startsWith(kind + ":"));
    }
}
