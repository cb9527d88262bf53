package dev.holdfast.broker.dashboard.page;

/** There is nothing at this address; the message says what is missing. */
public final class MissingException extends RuntimeException {
    public MissingException(String message) {
        super(message, null, false, false);
    }
}
