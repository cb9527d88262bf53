package dev.holdfast.broker.pool.engine;

/** An engine can't start a reviewer with what it was given; the message says what is wrong and what to do. */
public final class UnusableLaunchException extends RuntimeException {
    public UnusableLaunchException(String message) {
        super(message);
    }
}
