package dev.holdfast.claim;

/** An invalid argument; the message says which one and what would be valid. Nothing was changed. */
public final class InvalidException extends IllegalArgumentException {
    public InvalidException(String message) {
        super(message);
    }
}
