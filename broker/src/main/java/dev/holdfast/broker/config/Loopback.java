package dev.holdfast.broker.config;

/** Whom of this machine the broker answers. */
public enum Loopback {
    /** Everybody. */
    OPEN,
    /** Whoever shows the token of the broker's user. */
    TOKEN
}
