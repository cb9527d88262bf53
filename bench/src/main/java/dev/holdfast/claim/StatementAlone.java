package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.store.PostgresStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the combined statement without anything around it: one thread for each connection writes full batches one
 * after the other, with no agents, no queue, no ready set and nobody to wake. So it is the most that the engine could
 * make of this statement. It is in this package because the statement is nobody else's business.
 */
public final class StatementAlone {
    private static final long LEASE = 45 * 60_000_000L;
    private static final Ending DONE = Ending.completed("done");

    private final PostgresStore store;
    private final int calls;
    private final boolean fused;
    private final BooleanSupplier stopped;
    private final AtomicInteger items = new AtomicInteger();
    private final LongAdder grants = new LongAdder();
    private final LongAdder completions = new LongAdder();

    /**
     * @param calls how many calls share a batch
     * @param fused each call ends one item and claims the next; otherwise half of the calls end, half claim
     */
    public StatementAlone(PostgresStore store, int calls, boolean fused, BooleanSupplier stopped) {
        this.store = store;
        this.calls = calls;
        this.fused = fused;
        this.stopped = stopped;
    }

    /** Grants given so far. */
    public long grants() {
        return grants.sum();
    }

    /** Completions accepted so far. */
    public long completions() {
        return completions.sum();
    }

    /** Writes on one connection until stopped; completes what is held at the end. */
    public void run(int connection) {
        List<Take> held = new ArrayList<>();
        try (PostgresWriter writer = new PostgresWriter(store, () -> {})) {
            for (int turn = 0; !stopped.getAsBoolean(); turn++) {
                held = next(writer, held, connection + "-" + (fused ? 0 : turn % 2));
            }
            write(writer, held.stream().map(take -> CombinedUnit.of(end(take))).toList());
        }
    }

    /** Ends what is held, and claims as much. */
    private List<Take> next(PostgresWriter writer, List<Take> held, String team) {
        List<CombinedUnit> batch = new ArrayList<>();
        List<Take> next = new ArrayList<>();
        for (int i = 0; i < (fused ? calls : calls / 2); i++) {
            End end = i < held.size() ? end(held.get(i)) : null;
            Take take = take(team + "-" + i, fused ? end : null);
            next.add(take);
            if (end == null) {
                batch.add(CombinedUnit.of(take));
            } else if (fused) {
                batch.add(CombinedUnit.of(end, take));
            } else {
                batch.add(CombinedUnit.of(end));
                batch.add(CombinedUnit.of(take));
            }
        }
        write(writer, batch);
        return next;
    }

    private void write(PostgresWriter writer, List<CombinedUnit> batch) {
        writer.write(batch);
        for (CombinedUnit unit : batch) {
            for (CombinedResult result : unit.answer().join()) {
                switch (result) {
                    case CombinedResult.Taken _ -> grants.increment();
                    case CombinedResult.Ended _ -> completions.increment();
                    case CombinedResult.Missed _, CombinedResult.Renewed _ ->
                        throw new IllegalStateException(unit + " was answered with " + result);
                }
            }
        }
    }

    private Take take(String holder, @Nullable End after) {
        int item = items.incrementAndGet();
        long since = System.currentTimeMillis() * 1000 - 50_000; // as for a holder whose last grant was just now
        return new Take("work:" + item, holder, LEASE, "r" + item, false, Kind.WORK, null, since, after);
    }

    private static End end(Take take) {
        return new End(take.key(), take.holder(), 1, DONE);
    }
}
