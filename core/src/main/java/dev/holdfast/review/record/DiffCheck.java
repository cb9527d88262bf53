package dev.holdfast.review.record;

import dev.holdfast.review.finding.Finding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says whether a diff applies to what it was made from. Slow, and never called inside a transaction. */
public interface DiffCheck {
    /** Takes every diff as it is. */
    DiffCheck NONE = _ -> new Fits();

    /**
     * A diff that is to be looked at.
     *
     * @param project as the proposer wrote it
     * @param base the commit that it was made from; null: unknown
     */
    record Asked(@Nullable String project, @Nullable String base, String diff) {}

    /** What a look at the project's commits found. */
    sealed interface Finding {
        /** Why the diff cannot be taken: it does not apply, or could not be checked where a check is required. */
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
     * It applies, or has been applied already.
     *
     * @param whole the whole change from the base, where the diff was made on top of another; null: it is the diff
     */
    record Fits(@Nullable String whole) implements Finding {
        public Fits() {
            this(null);
        }
    }

    record Conflicts(String message) implements Finding {}

    /**
     * Nobody could look; that is not the proposal's fault.
     *
     * @param refuse what nobody has looked at is not taken
     */
    record Unknown(String reason, boolean refuse) implements Finding {}

    Finding check(Asked asked);

    /**
     * The same for a patch that a reviewer suggests: in place of what is up for review, or on top of it.
     *
     * @param content the diff that is up for review; null: there is none
     */
    default Finding onTop(Asked patch, @Nullable String content) {
        return check(patch);
    }
}
