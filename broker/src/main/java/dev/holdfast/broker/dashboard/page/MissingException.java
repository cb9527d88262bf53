package dev.holdfast.broker.dashboard.page;

/** There is nothing at this address; the message tells a person what is missing. */
public final class MissingException extends RuntimeException {
    public MissingException(String message) {
        super(message, null, false, false);
    }
}
