package dev.holdfast.bench;

import dev.holdfast.store.StoreObserver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many calls shared a commit, and how long it took the store. */
final class Batches implements StoreObserver {
    private final LongAdder commits = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder commitNanos = new LongAdder();
    private final LongAdder others = new LongAdder();
    private final LongAdder otherNanos = new LongAdder();

    @Override
    public void combined(int size) {
        commits.increment();
        calls.add(size);
    }

    @Override
    public void took(String operation, long nanos) {
        if (operation.equals("combined")) {
            commitNanos.add(nanos);
        } else {
            others.increment();
            otherNanos.add(nanos);
        }
    }

    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("combined commits", commits.doubleValue());
        figures.put("calls per combined commit", calls.doubleValue() / Math.max(1, commits.sum()));
        figures.put("combined statement us", commitNanos.sum() / 1e3 / Math.max(1, commits.sum()));
        figures.put("other transactions", others.doubleValue());
        figures.put("other transaction us", otherNanos.sum() / 1e3 / Math.max(1, others.sum()));
        return figures;
    }
}
