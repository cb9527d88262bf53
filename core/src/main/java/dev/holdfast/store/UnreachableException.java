package dev.holdfast.store;

/**
 * There is no database at the configured address, or it refuses the connection: somebody must fix the setting or the
 * database.
 */
public final class UnreachableException extends StoreException {
    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
