package dev.holdfast.store;

import java.util.function.Supplier;

/**
 * Who uses the store. Each share has its own connections to PostgreSQL, which nobody else can use up: however many
 * callers there are, a broker can renew its own name and do its chores.
 */
public enum Share {
    /** Callers; the default. */
    CALLS,
    /** A broker's own work. */
    CHORES,
    /** The claim on a broker's own name: a broker that renews it late is considered dead. */
    IDENTITY;

    /** Does this work in this share, in a turn that begins now. */
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
