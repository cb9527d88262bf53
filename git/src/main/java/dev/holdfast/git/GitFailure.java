package dev.holdfast.git;

import org.jspecify.annotations.Nullable;

/** Git could not be run, or has no answer. The message is for the user; it says what to do. */
public final class GitFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What stands in the way, for callers that know more than git about what to do. */
    public enum Kind {
        /** There is no git, or it could not be started. */
        NO_GIT,
        /** The folder is in no repository. */
        NO_REPOSITORY,
        /** Git itself does not trust the repository, because of whose it is or where it lies. */
        UNTRUSTED,
        TIMED_OUT,
        /** It printed more than was allowed. */
        TOO_MUCH,
        /** Anything else. */
        FAILED
    }

    private final Kind kind;

    public GitFailure(String message) {
        this(Kind.FAILED, message, null);
    }

    public GitFailure(String message, @Nullable Throwable cause) {
        this(Kind.FAILED, message, cause);
    }

    GitFailure(Kind kind, String message) {
        this(kind, message, null);
    }

    GitFailure(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
