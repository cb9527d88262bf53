package dev.holdfast.git;

import org.jspecify.annotations.Nullable;

/** Git could not be run, or has no answer. The message is for the user and says what to do. */
public final class GitFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The cause, for callers that know better than git what to do about it. */
    public enum Kind {
        /** Git is missing or could not be started. */
        NO_GIT,
        /** The folder is not in a repository. */
        NO_REPOSITORY,
        /** Git itself does not trust the repository, because of its owner or location. */
        UNTRUSTED,
        TIMED_OUT,
        /** It printed more, or needed more memory, than was allowed. */
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
