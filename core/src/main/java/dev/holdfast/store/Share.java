package dev.holdfast.store;

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

    /** A turn in this share that begins now, to do work in. */
    public ScopedValue.Carrier turn() {
        return new Turn(this, System.nanoTime()).carrier();
    }
}
