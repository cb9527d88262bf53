package dev.holdfast.review.record;

import dev.holdfast.review.finding.Finding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks whether a diff applies to what it was made from. Slow; never call it inside a transaction. */
public interface DiffCheck {
    /** Accepts every diff. */
    DiffCheck NONE = _ -> new Fits();

    /**
     * A diff to check.
     *
     * @param project as the proposer wrote it
     * @param base the commit that it was made from; null: unknown
     */
    record Request(@Nullable String project, @Nullable String base, String diff) {}

    /** The result of a check against the project's commits. */
    sealed interface Finding {
        /** Why the diff cannot be accepted: it does not apply, or it could not be checked and a check is required. */
        default Optional<String> problem() {
            return switch (this) {
                case Fits _ -> Optional.empty();
                case Conflicts(String message) -> Optional.of(message);
                case Unknown(String reason, boolean refuse) -> refuse ? Optional.of(reason) : Optional.empty();
            };
        }

        /** Why the diff certainly does not apply. */
        default Optional<String> conflict() {
            return this instanceof Conflicts(String message) ? Optional.of(message) : Optional.empty();
        }
    }

    /**
     * It applies, or has already been applied.
     *
     * @param whole the whole change from the base, if the diff was made on top of another; null: the diff itself
     */
    record Fits(@Nullable String whole) implements Finding {
        public Fits() {
            this(null);
        }
    }

    record Conflicts(String message) implements Finding {}

    /**
     * It could not be checked, which is not the proposal's fault.
     *
     * @param refuse refuse the diff because it could not be checked
     */
    record Unknown(String reason, boolean refuse) implements Finding {}

    Finding check(Request asked);

    /**
     * As {@link #check}, for a patch that a reviewer suggests: instead of what is under review, or on top of it.
     *
     * @param content the diff under review; null: none
     */
    default Finding onTop(Request patch, @Nullable String content) {
        return check(patch);
    }
}
