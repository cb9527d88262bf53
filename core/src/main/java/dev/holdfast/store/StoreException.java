package dev.holdfast.store;

/** The store could not do what was asked; the message says what happened and what to do. */
public class StoreException extends RuntimeException {
    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
