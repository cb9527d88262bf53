package dev.holdfast.store;

/** A broker is using the folder. */
public final class InUseException extends StoreException {
    InUseException(String message) {
        super(message);
    }
}
