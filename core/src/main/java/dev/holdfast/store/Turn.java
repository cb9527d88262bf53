package dev.holdfast.store;

import java.util.function.Supplier;

/**
 * Who a thread uses the store for, and since when: whoever came first is served first, however often it has used the
 * store since.
 *
 * @param since by {@link System#nanoTime}
 */
public record Turn(Share share, long since) {
    private static final ScopedValue<Turn> CURRENT = ScopedValue.newInstance();

    /** This thread's turn; by default, that of a caller arriving now. */
    public static Turn current() {
        return CURRENT.isBound() ? CURRENT.get() : new Turn(Share.CALLS, System.nanoTime());
    }

    /** Does this work in the same turn, on any thread. */
    public <T> T call(Supplier<T> work) {
        return carrier().call(work::get);
    }

    ScopedValue.Carrier carrier() {
        return ScopedValue.where(CURRENT, this);
    }
}
