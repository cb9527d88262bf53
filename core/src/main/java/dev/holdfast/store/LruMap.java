package dev.holdfast.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** A map that keeps a limited number of entries and evicts the least recently used. Not thread-safe. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int max;
    private final transient Predicate<V> forgettable;

    public LruMap(int max) {
        this(max, _ -> true);
    }

    /** @param forgettable whether a value may be evicted; the map grows while the least recently used one may not */
    public LruMap(int max, Predicate<V> forgettable) {
        super(16, 0.75f, true);
        this.max = max;
        this.forgettable = forgettable;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max && forgettable.test(eldest.getValue());
    }
}
