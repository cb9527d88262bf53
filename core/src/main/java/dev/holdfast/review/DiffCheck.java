package dev.holdfast.review;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says whether a diff applies to the project's files. Slow, and never called inside a transaction. */
public interface DiffCheck {
    /** Takes every diff as it is. */
    DiffCheck NONE = (_, _) -> Optional.empty();

    /**
     * What is wrong with the diff; empty when it applies, or has been applied already.
     *
     * @param project as the proposer wrote it
     */
    Optional<String> problem(@Nullable String project, String diff);
}
