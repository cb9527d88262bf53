package dev.holdfast.broker;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Has garbage collected before it makes the heap large. The serial collector rather takes more memory than look at old objects
 * while the heap may still grow, and it may take a quarter of the machine's: a broker would grow for weeks with nothing in it.
 */
final class OldGarbage {
    /** Less than this is not worth a pause. */
    static final long LITTLE = 48 << 20;

    private final LongSupplier used;
    private final Runnable collect;
    private long live;

    /** @param used the bytes of old objects, garbage included */
    OldGarbage(LongSupplier used, Runnable collect) {
        this.used = used;
        this.collect = collect;
    }

    /** Of this process; with another collector it has nothing to do. */
    static OldGarbage ofThisProcess() {
        LongSupplier old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .<LongSupplier>map(pool -> () -> pool.getUsage().getUsed())
                .orElse(() -> 0);
        return new OldGarbage(old, System::gc);
    }

    /** Collects if there may be more garbage than what is in use. To be called every few seconds. */
    void turn() {
        if (used.getAsLong() > Math.max(LITTLE, 2 * live)) {
            collect.run();
            live = used.getAsLong();
        }
    }
}
