package dev.holdfast.cli.imports.predecessor;

import org.jspecify.annotations.Nullable;

/** A file cannot be read, or is not one of the predecessor's. The message says what it is instead. */
public final class BadFileException extends Exception {
    private static final long serialVersionUID = 1;

    BadFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    BadFileException(String message) {
        this(message, null);
    }
}
