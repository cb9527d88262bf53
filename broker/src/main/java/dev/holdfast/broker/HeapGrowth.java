package dev.holdfast.broker;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Triggers garbage collection before garbage fills the heap. While the heap may still grow, up to a quarter of the
 * machine's memory, the serial collector takes more memory rather than collect old objects: a broker would grow for
 * weeks, mostly with garbage.
 */
final class HeapGrowth {
    /** Below this, a collection is not worth the pause. */
    static final long LITTLE = 48 << 20;

    private final LongSupplier used;
    private final Runnable collect;
    private long live;

    /** @param used the bytes in the old generation, including garbage */
    HeapGrowth(LongSupplier used, Runnable collect) {
        this.used = used;
        this.collect = collect;
    }

    /** For this process; does nothing under another collector. */
    static HeapGrowth ofThisProcess() {
        LongSupplier old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .<LongSupplier>map(pool -> () -> pool.getUsage().getUsed())
                .orElse(() -> 0);
        return new HeapGrowth(old, System::gc);
    }

    /** Collects if more than half of the old generation may be garbage. Call this every few seconds. */
    void turn() {
        if (used.getAsLong() > Math.max(LITTLE, 2 * live)) {
            collect.run();
            live = used.getAsLong();
        }
    }
}
