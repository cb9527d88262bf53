package dev.holdfast.review.record;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Makes a review pending again in the same round after changes were requested. The caller must save the review. */
public record Reopening(ReviewChanges changes, Reviewers reviewers) {
    /**
     * Reserves it for the reviewer that knows it, if that one is likely to come back.
     *
     * @param by the proposer's name; null: unknown
     */
    public void reopen(ReviewChanges.Locked locked, String reason, @Nullable String by) throws SQLException {
        ReviewRow review = locked.review();
        String knows = review.verdictBy;
        boolean kept = knows != null && reviewers.comesBack(locked.transaction(), knows);
        review.stored = ReviewStatus.PENDING;
        review.reservedFor = kept ? knows : null;
        changes.transactional()
                .reopen(
                        locked.transaction(),
                        locked.resource(),
                        kept,
                        ReviewChanges.event(
                                "review_reclaimed",
                                "proposer",
                                ReviewStatus.CHANGES_REQUESTED,
                                ReviewStatus.PENDING,
                                Metadata.of(
                                        "reason", reason, "reserved_reviewer", review.reservedFor, "proposer", by)));
    }
}
