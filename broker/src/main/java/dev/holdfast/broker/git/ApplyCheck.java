package dev.holdfast.broker.git;

/** Whether a diff fits a repository. */
public sealed interface ApplyCheck {
    /** It can be applied as it is. */
    record Applies() implements ApplyCheck {}

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
