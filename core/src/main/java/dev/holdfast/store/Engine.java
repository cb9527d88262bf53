package dev.holdfast.store;

/** The two databases a {@link Store} can be kept in. */
public enum Engine {
    SQLITE,
    POSTGRES
}
