package dev.holdfast.broker.verb;

/** What calling a verb does, and what calling it twice does. */
public enum Nature {
    /** Changes nothing. */
    READ(true, false, true),
    /** Adds, extends or releases; repeating it with the same request id or fence changes nothing more. */
    CHANGE(false, false, true),
    /** Takes one of several, or adds one; repeating it may take or add another. */
    TAKE(false, false, false),
    /** Decides something permanently; repeating it gives the same answer. */
    END(false, true, true);

    private final boolean readOnly;
    private final boolean destructive;
    private final boolean idempotent;

    Nature(boolean readOnly, boolean destructive, boolean idempotent) {
        this.readOnly = readOnly;
        this.destructive = destructive;
        this.idempotent = idempotent;
    }

    public boolean readOnly() {
        return readOnly;
    }

    public boolean destructive() {
        return destructive;
    }

    public boolean idempotent() {
        return idempotent;
    }
}
