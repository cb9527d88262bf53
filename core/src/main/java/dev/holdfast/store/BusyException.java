package dev.holdfast.store;

/** Try again in a moment: the database is contended, full or out of reach. Nothing was changed. */
public final class BusyException extends StoreException {
    public BusyException(String message) {
        super(message);
    }

    public BusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
