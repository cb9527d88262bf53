package dev.holdfast.broker.verb;

/** What a caller may expect of calling a verb, and of calling it twice. */
public enum Nature {
    /** Changes nothing. */
    READ(true, false, true),
    /** Adds, extends or lets go; a repeat with the same request id or fence changes nothing more. */
    CHANGE(false, false, true),
    /** Takes one of several, or adds one more; a repeat may take or add another. */
    TAKE(false, false, false),
    /** Decides something for good; a repeat gives the same answer. */
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
