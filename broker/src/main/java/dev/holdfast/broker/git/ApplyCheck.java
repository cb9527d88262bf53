package dev.holdfast.broker.git;

import org.jspecify.annotations.Nullable;

/** Whether a diff applies to a repository. */
public sealed interface ApplyCheck {
    /**
     * It applies.
     *
     * @param whole the whole change, if the diff was made on top of another; null: the diff is the whole
     */
    record Applies(@Nullable String whole) implements ApplyCheck {
        Applies() {
            this(null);
        }
    }

    /** The repository already has it: committed work submitted for review. */
    record AlreadyApplied() implements ApplyCheck {}

    /**
     * It does not apply.
     *
     * @param message git's message, shortened
     */
    record Conflicts(String message) implements ApplyCheck {}

    /**
     * Unknown: git or the repository is missing, or git did not answer in time.
     *
     * @param reason what is wrong and what to do
     */
    record Unavailable(String reason) implements ApplyCheck {}
}
