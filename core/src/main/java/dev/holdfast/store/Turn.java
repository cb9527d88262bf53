package dev.holdfast.store;

import java.util.function.Supplier;

/**
 * For whom a thread uses the store, and since when: who came first is served first, however often it has used the store since.
 *
 * @param since by {@link System#nanoTime}
 */
public record Turn(Share share, long since) {
    private static final ScopedValue<Turn> CURRENT = ScopedValue.newInstance();

    /** Of this thread; that of a caller who comes now, if nothing else was said. */
    public static Turn current() {
        return CURRENT.isBound() ? CURRENT.get() : new Turn(Share.CALLS, System.nanoTime());
    }

    /** Does this in the same turn, on whatever thread it is. */
    public void run(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }

    public <T> T call(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }
}
