package dev.holdfast.store;

/** Receives metrics about the store. Must be quick and must not throw. */
public interface StoreObserver {
    StoreObserver NONE = new StoreObserver() {};

    /** This many requests shared one commit. */
    default void combined(int requests) {}

    /** A transaction or combined statement took this long. */
    default void took(String operation, long nanos) {}

    /** The answer to a change was lost with its connection, so its outcome is unknown; it runs again. */
    default void answerLost() {}
}
