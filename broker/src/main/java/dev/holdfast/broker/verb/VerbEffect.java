package dev.holdfast.broker.verb;

/** What calling a verb does, and what calling it twice does. */
public enum VerbEffect {
    /** Changes nothing. */
    READ,
    /** Adds, extends or releases; repeating it with the same request id or fence changes nothing more. */
    CHANGE,
    /** Takes one of several, or adds one; repeating it may take or add another. */
    TAKE,
    /** Decides something permanently; repeating it gives the same answer. */
    END;

    public boolean readOnly() {
        return this == READ;
    }

    public boolean destructive() {
        return this == END;
    }

    public boolean idempotent() {
        return this != TAKE;
    }
}
