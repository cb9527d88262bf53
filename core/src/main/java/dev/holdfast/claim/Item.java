package dev.holdfast.claim;

import java.util.Set;

/** A resource that has become ready, with what claim-next chooses by. */
record Item(String key, Kind kind, String queue, int priority, long seq, Set<String> labels)
        implements Comparable<Item> {
    static Item of(ResourceRow row) {
        return new Item(row.resource.toString(), row.resource.kind(), row.queue, row.priority, row.seq, row.labels);
    }

    boolean fits(Filter filter) {
        return filter.matches(queue, labels);
    }

    @Override
    public int compareTo(Item other) {
        int byPriority = Integer.compare(priority, other.priority);
        int byAge = byPriority != 0 ? byPriority : Long.compare(seq, other.seq);
        return byAge != 0 ? byAge : key.compareTo(other.key);
    }
}
