package dev.holdfast.broker.pool.engine;

/** An engine cannot start a reviewer with this configuration; the message says what is wrong and what to do. */
public final class UnusableLaunchException extends RuntimeException {
    public UnusableLaunchException(String message) {
        super(message);
    }
}
