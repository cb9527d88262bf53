package dev.holdfast.broker.verb;

/** A limit of a field that the configuration sets. */
public enum Limit {
    NONE,
    /** Bytes of a call, hence characters of a text in it. */
    BODY,
    /** The same for a text that JSON may make twice as long. */
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
