package dev.holdfast.review.record;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of the content of a review.
 *
 * @param number within its round: 1 is the proposal, later ones are accepted counter-patches
 * @param affectedFiles a JSON array; null if there is no diff
 * @param base the commit that the diff was made from; null: unknown
 * @param source proposal or counter_patch
 */
public record Revision(
        int round,
        int number,
        String revision,
        String intent,
        @Nullable String description,
        @Nullable String diff,
        @Nullable String affectedFiles,
        @Nullable String base,
        String source,
        Instant createdAt) {
    public boolean hasDiff() {
        return diff != null && !diff.isEmpty();
    }

    /** What a reviewer has to read: the diff or, if there is none, the description. */
    public String toRead() {
        if (hasDiff()) {
            return Objects.requireNonNull(diff);
        }
        return description == null ? "" : description;
    }

    public Content content() {
        return new Content(intent, description, diff, affectedFiles, revision, null, null, Optional.empty());
    }
}
