package dev.holdfast.cli.git;

import org.jspecify.annotations.Nullable;

/** The repository could not be asked, or holds what cannot be told. The message is for the user; it says what to do. */
public final class GitFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    GitFailure(String message) {
        this(message, null);
    }

    GitFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
