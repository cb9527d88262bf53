package dev.holdfast.claim;

/** An argument that can't be right; the message says which and what would be. Nothing was changed. */
public final class InvalidException extends IllegalArgumentException {
    public InvalidException(String message) {
        super(message);
    }
}
