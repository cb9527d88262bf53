package dev.holdfast.broker.config;

/** Whom on this machine the broker answers. */
public enum LoopbackAccess {
    /** Everybody. */
    OPEN,
    /** Callers with the token of the broker's user. */
    TOKEN
}
