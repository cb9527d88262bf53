package dev.holdfast.store;

/** A caller gave text that no store can keep; the message names it. Nothing was changed. */
public final class UnstorableException extends StoreException {
    public UnstorableException(String message) {
        super(message);
    }
}
