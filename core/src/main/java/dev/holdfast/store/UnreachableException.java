package dev.holdfast.store;

/** There is no database at the address that was given, or it does not let us in: the setting, or that database, must be mended. */
public final class UnreachableException extends StoreException {
    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
