package dev.holdfast.broker.verb;

/** A limit on a field, set in the configuration. */
public enum Limit {
    NONE,
    /** Bytes of a call, and so characters of a text in it. */
    BODY,
    /** The same for a text whose length JSON may double. */
    HALF_BODY,
    /** Entries of one page of a list. */
    PAGE,
    /** Seconds that a call may wait. */
    WAIT,
    /** Seconds that a claim may last. */
    LEASE,
    /** The same for a finalization: a day at most. */
    FINALIZATION
}
