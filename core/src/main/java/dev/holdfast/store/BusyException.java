package dev.holdfast.store;

/**
 * Try again in a moment: the database is contended, full or unreachable. Nothing was changed, unless the message says
 * that this is unknown: then an outage outlasted the retries, and repeating the call with the same request id settles
 * it.
 */
public final class BusyException extends StoreException {
    public BusyException(String message) {
        super(message);
    }

    public BusyException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same for another caller, who was waiting for the same. */
    public static BusyException again(BusyException first) {
        return new BusyException(String.valueOf(first.getMessage()), first);
    }
}
