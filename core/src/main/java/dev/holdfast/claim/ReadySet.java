package dev.holdfast.claim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is probably ready, best first: hints that spare the database a scan of the head of its index for every
 * claim-next. They are never trusted: the claim decides, and a candidate that turns out to be taken is dropped.
 *
 * <p>To hand out the best first, a set has a horizon: every ready item up to it is in the set. Items beyond it stay in
 * the table until the next refill, so that nothing new overtakes what has waited longer.
 */
final class ReadySet {
    static final int MAX_PER_QUEUE = 10_000;
    static final int REFILL = 8_000;
    private static final int FEW_LEFT = REFILL / 4;
    private static final int LOOK_FOR_OWN_SHARE = 64;

    private final Map<Kind, OfKind> kinds = new EnumMap<>(Kind.class);
    private int share;
    private int shares = 1;

    /**
     * This broker is one of several; each tries its own share first, so that brokers seldom compete for the same item.
     */
    synchronized void share(int share, int shares) {
        this.share = share;
        this.shares = shares;
    }

    /** Adds an item that has become ready. */
    synchronized void add(Item item) {
        OfKind kind = of(item.kind());
        kind.add(item);
        if (kind.refills > 0) {
            kind.meanwhile.add(item); // the running query may have begun too early to see it
        }
    }

    /**
     * Takes the best match out of the set; empty if the table must be queried. No refill brings it back until it is
     * {@link #settled}.
     */
    synchronized Optional<Item> take(Kind kind, Filter filter) {
        return of(kind).take(filter);
    }

    /** The item's fate is known: it is gone, or is added again. A running refill may still have seen its old state. */
    synchronized void settled(Item item) {
        OfKind kind = of(item.kind());
        kind.inFlight.remove(item.key());
        if (kind.refills > 0) {
            kind.settledMeanwhile.add(item.key());
        }
    }

    /**
     * Whether so few are left that the set should be refilled before anybody has to wait: true for one caller, which
     * must then {@link #refill}.
     */
    synchronized boolean startsToRefill(Kind kind, @Nullable String queue) {
        return of(kind).startsToRefill(queue);
    }

    /** Whether nothing of this queue (null: of the kind) is left, with any labels. */
    synchronized boolean isUsedUp(Kind kind, @Nullable String queue) {
        return of(kind).best(new Filter(queue, Set.of())).isEmpty();
    }

    /**
     * Fills the set from the table.
     *
     * @param query returns the best of the queue, at most {@link #REFILL}
     */
    void refill(Kind kind, @Nullable String queue, Supplier<List<Item>> query) {
        OfKind of;
        synchronized (this) {
            of = of(kind);
            of.refills++;
            of.refillStarts = true;
        }
        List<Item> found = List.of();
        boolean asked = false;
        try {
            found = query.get();
            asked = true;
        } finally {
            synchronized (this) {
                of.refills--;
                if (asked) {
                    of.filled(queue, found);
                }
                if (of.refills == 0) {
                    of.refillStarts = false;
                    of.meanwhile.clear();
                    of.settledMeanwhile.clear();
                }
            }
        }
    }

    /** Everything may have changed, so the table must be queried; the result of a running refill is discarded. */
    synchronized void clear() {
        kinds.clear();
    }

    private OfKind of(Kind kind) {
        return kinds.computeIfAbsent(kind, _ -> new OfKind());
    }

    /** How far a set is complete: up to this item (null: nothing is known), or entirely. */
    private record Horizon(@Nullable Item last, boolean toTheEnd) {
        static final Horizon NOTHING = new Horizon(null, false);
        static final Horizon ALL = new Horizon(null, true);

        boolean covers(Item item) {
            return toTheEnd || (last != null && item.compareTo(last) <= 0);
        }

        /** Whether there may be more beyond it. */
        boolean isWithin() {
            return last != null;
        }

        Horizon nearer(Item item) {
            return covers(item) ? new Horizon(item, false) : this;
        }
    }

    private static final class OfQueue {
        final TreeSet<Item> items = new TreeSet<>();
        Horizon horizon = Horizon.NOTHING;

        boolean isForgettable() {
            return items.isEmpty() && horizon.equals(Horizon.NOTHING);
        }
    }

    private final class OfKind {
        private final Map<String, OfQueue> queues = new HashMap<>();
        /** Only the latest version of an item counts: its priority, queue or labels may have changed. */
        private final Map<String, Item> byKey = new HashMap<>();

        private final Set<String> inFlight = new HashSet<>();
        private final List<Item> meanwhile = new ArrayList<>();
        private final Set<String> settledMeanwhile = new HashSet<>();
        private Horizon horizon = Horizon.NOTHING;
        private int refills;
        private boolean refillStarts;

        void add(Item item) {
            Item before = byKey.get(item.key());
            if (before != null) {
                remove(before);
            }
            OfQueue queue = queues.computeIfAbsent(item.queue(), _ -> new OfQueue());
            if (!horizon.covers(item) && !queue.horizon.covers(item)) {
                return; // a later refill finds it, when the better ones are gone
            }
            queue.items.add(item);
            byKey.put(item.key(), item);
            if (queue.items.size() > MAX_PER_QUEUE) {
                byKey.remove(queue.items.removeLast().key());
                queue.horizon = queue.horizon.nearer(queue.items.last());
                horizon = horizon.nearer(queue.items.last());
            }
        }

        void filled(@Nullable String queue, List<Item> found) {
            Horizon reached = found.size() < REFILL ? Horizon.ALL : new Horizon(found.getLast(), false);
            if (queue == null) {
                horizon = reached;
            } else {
                queues.computeIfAbsent(queue, _ -> new OfQueue()).horizon = reached;
            }
            for (Item item : found) {
                if (!inFlight.contains(item.key()) && !settledMeanwhile.contains(item.key())) {
                    add(item);
                }
            }
            meanwhile.forEach(this::add);
        }

        boolean startsToRefill(@Nullable String queue) {
            OfQueue of = queue == null ? null : queues.get(queue);
            int left = queue == null ? byKey.size() : of == null ? 0 : of.items.size();
            boolean allOfQueue = of != null && of.horizon.toTheEnd();
            boolean more = horizon.isWithin() || (of != null && of.horizon.isWithin());
            if (refillStarts || left >= FEW_LEFT || allOfQueue || !more) {
                return false;
            }
            refillStarts = true;
            return true;
        }

        Optional<Item> take(Filter filter) {
            Optional<Item> best = best(filter);
            best.ifPresent(item -> {
                remove(item);
                inFlight.add(item.key());
            });
            return best;
        }

        private void remove(Item item) {
            byKey.remove(item.key());
            OfQueue queue = queues.get(item.queue());
            if (queue != null && queue.items.remove(item) && queue.isForgettable()) {
                queues.remove(item.queue());
            }
        }

        Optional<Item> best(Filter filter) {
            if (filter.queue() != null) {
                OfQueue queue = queues.get(filter.queue());
                return Optional.ofNullable(best(queue, filter))
                        .filter(item -> horizon.covers(item) || (queue != null && queue.horizon.covers(item)));
            }
            return queues.values().stream()
                    .map(queue -> best(queue, filter))
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder())
                    .filter(horizon::covers);
        }

        private @Nullable Item best(@Nullable OfQueue queue, Filter filter) {
            if (queue == null) {
                return null;
            }
            @Nullable Item first = null;
            int looked = 0;
            for (Item item : queue.items) {
                if (!item.fits(filter)) {
                    continue;
                }
                if (first != null && (item.priority() != first.priority() || ++looked > LOOK_FOR_OWN_SHARE)) {
                    return first;
                }
                if (shares == 1 || Math.floorMod(item.key().hashCode(), shares) == share) {
                    return item;
                }
                first = first == null ? item : first;
            }
            return first;
        }
    }
}
