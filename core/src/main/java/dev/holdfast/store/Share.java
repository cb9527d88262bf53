package dev.holdfast.store;

import java.util.function.Supplier;

/**
 * For whom the store is used. Each has its share of the connections to PostgreSQL, which nobody else can use up: however many
 * call, a broker renews its own name and does its chores.
 */
public enum Share {
    /** Callers; whoever does not say otherwise. */
    CALLS,
    /** What a broker does by itself. */
    CHORES,
    /** The claim on a broker's own name: a broker that is late with it is taken for dead. */
    IDENTITY;

    /** Does this on behalf of these; it begins now. */
    public void run(Runnable work) {
        begin().run(work);
    }

    public <T> T call(Supplier<T> work) {
        return begin().call(work);
    }

    private Turn begin() {
        return new Turn(this, System.nanoTime());
    }
}
