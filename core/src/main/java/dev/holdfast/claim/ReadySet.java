package dev.holdfast.claim;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is thought to be ready, best first: hints that save PostgreSQL from walking the head of its index for every
 * claim-next. Never believed: the claim decides, and a candidate that turns out to be taken is dropped.
 */
final class ReadySet {
    static final int MOST_PER_QUEUE = 10_000;
    private static final int LOOK_FOR_OWN_SHARE = 64;

    private final Map<Kind, Map<String, TreeSet<Item>>> queues = new EnumMap<>(Kind.class);
    private int share;
    private int shares = 1;

    /** This broker is one of so many; it tries its own share first, so that brokers seldom reach for the same thing. */
    synchronized void share(int share, int shares) {
        this.share = share;
        this.shares = shares;
    }

    synchronized void add(Item item) {
        TreeSet<Item> queue = queues.computeIfAbsent(item.kind(), _ -> new HashMap<>())
                .computeIfAbsent(item.queue(), _ -> new TreeSet<>());
        queue.add(item);
        if (queue.size() > MOST_PER_QUEUE) {
            queue.pollLast(); // the worst is found again when the better ones are gone
        }
    }

    synchronized void addAll(List<Item> items) {
        items.forEach(this::add);
    }

    /** Takes the best that fits out of the set. */
    synchronized Optional<Item> take(Kind kind, Filter filter) {
        Map<String, TreeSet<Item>> byQueue = queues.getOrDefault(kind, Map.of());
        @Nullable Item best = null;
        if (filter.queue() != null) {
            best = best(byQueue.get(filter.queue()), filter);
        } else {
            for (TreeSet<Item> queue : byQueue.values()) {
                Item head = best(queue, filter);
                if (head != null && (best == null || head.compareTo(best) < 0)) {
                    best = head;
                }
            }
        }
        if (best != null) {
            TreeSet<Item> queue = byQueue.get(best.queue());
            if (queue != null && queue.remove(best) && queue.isEmpty()) {
                byQueue.remove(best.queue());
            }
        }
        return Optional.ofNullable(best);
    }

    private @Nullable Item best(@Nullable SortedSet<Item> queue, Filter filter) {
        if (queue == null) {
            return null;
        }
        @Nullable Item first = null;
        int looked = 0;
        for (Item item : queue) {
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
