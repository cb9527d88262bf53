package dev.holdfast.store;

/** Hears how the store is doing; for metrics. Must be quick and throw nothing. */
public interface StoreObserver {
    StoreObserver NONE = new StoreObserver() {};

    /** So many requests shared one commit. */
    default void combined(int requests) {}

    /** A transaction or combined statement took so long. */
    default void took(String operation, long nanos) {}

    /** The answer to a change was lost with its connection, so that it is not known to have happened; it is run again. */
    default void answerLost() {}
}
