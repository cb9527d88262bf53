package dev.holdfast.store;

import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * New ids, each a UUID. Those made in quick succession ascend in small steps, so that a burst of them changes few pages
 * of every index that has them; those made apart have nothing in common. Either way they differ in their first eight
 * characters, by which people tell them apart.
 */
public final class NearbyIds implements Supplier<String> {
    private static final long TOGETHER_NANOS = 1_000_000_000L;

    /** Ids made together are at most this far apart in their first 32 bits; a power of two. */
    private static final int LARGEST_STEP = 1 << 14;

    private final LongSupplier nanos;
    private final Supplier<UUID> random;
    private long lastMade;
    private int first;

    public NearbyIds() {
        this(System::nanoTime, UUID::randomUUID);
    }

    /** @param nanos a clock that only counts up */
    NearbyIds(LongSupplier nanos, Supplier<UUID> random) {
        this.nanos = nanos;
        this.random = random;
        lastMade = nanos.getAsLong() - TOGETHER_NANOS;
    }

    @Override
    public String get() {
        UUID made = random.get();
        long most = made.getMostSignificantBits();
        long nearby = (((long) next((int) (most >>> 32))) << 32) | (most & 0xffff_ffffL);
        return new UUID(nearby, made.getLeastSignificantBits()).toString();
    }

    private synchronized int next(int drawn) {
        long now = nanos.getAsLong();
        first = now - lastMade < TOGETHER_NANOS ? first + 1 + (drawn & (LARGEST_STEP - 1)) : drawn;
        lastMade = now;
        return first;
    }
}
