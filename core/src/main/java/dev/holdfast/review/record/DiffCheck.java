package dev.holdfast.review.record;

import dev.holdfast.review.finding.Finding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says whether a diff applies to the project's files. Slow, and never called inside a transaction. */
public interface DiffCheck {
    /** Takes every diff as it is. */
    DiffCheck NONE = (_, _) -> new Fits();

    /** What a look at the project's files found. */
    sealed interface Finding {
        /** Why the diff cannot be taken: it does not apply, or nobody can tell. */
        default Optional<String> problem() {
            return switch (this) {
                case Fits _ -> Optional.empty();
                case Conflicts(String message) -> Optional.of(message);
                case Unknown(String reason) -> Optional.of(reason);
            };
        }

        /** Why the diff certainly does not apply. */
        default Optional<String> conflict() {
            return this instanceof Conflicts(String message) ? Optional.of(message) : Optional.empty();
        }
    }

    /** It applies, or has been applied already. */
    record Fits() implements Finding {}

    record Conflicts(String message) implements Finding {}

    /** The project's files cannot be looked at; that is not the proposal's fault. */
    record Unknown(String reason) implements Finding {}

    /** @param project as the proposer wrote it */
    Finding check(@Nullable String project, String diff);
}
