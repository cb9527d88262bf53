package dev.holdfast.broker.git;

import org.jspecify.annotations.Nullable;

/** Whether a diff fits a repository. */
public sealed interface ApplyCheck {
    /**
     * It can be applied.
     *
     * @param whole the whole change, where it was made on top of another; null: it is the whole
     */
    record Applies(@Nullable String whole) implements ApplyCheck {
        Applies() {
            this(null);
        }
    }

    /** The repository has it already: committed work that is submitted for review. */
    record AlreadyApplied() implements ApplyCheck {}

    /**
     * It cannot be applied.
     *
     * @param message what git said, shortened
     */
    record Conflicts(String message) implements ApplyCheck {}

    /**
     * Nobody knows: git or the repository is missing, or git did not answer in time.
     *
     * @param reason what is wrong and what to do
     */
    record Unavailable(String reason) implements ApplyCheck {}
}
