package dev.holdfast.review.queue;

import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Transitions;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;

/** The broker's own verdict on a diff that no longer applies. */
final class AutoRejection {
    private AutoRejection() {}

    /** Sends back a review whose diff does not apply; a reviewer that holds it loses it. */
    static ReviewClaims.AutoRejected of(ReviewChanges changes, ReviewChanges.Locked locked, String problem)
            throws SQLException {
        Transaction transaction = locked.transaction();
        ReviewRow review = locked.review();
        ReviewStatus before = locked.status();
        Transitions.check(before, ReviewStatus.CHANGES_REQUESTED, Transitions.By.BROKER);
        String reason = "Auto-rejected: diff does not apply cleanly.\n" + problem;
        review.stored = ReviewStatus.CHANGES_REQUESTED;
        review.verdictReason = reason;
        review.verdictBy = "broker-validator";
        review.reservedFor = null;
        VerdictTable.add(
                transaction,
                review,
                Verdict.CHANGES_REQUESTED,
                reason,
                review.verdictBy,
                null,
                null,
                null,
                null,
                locked.now());
        locked.save();
        changes.transactional()
                .retire(
                        transaction,
                        locked.resource(),
                        "its diff does not apply",
                        ReviewChanges.event(
                                "review_auto_rejected",
                                review.verdictBy,
                                before,
                                ReviewStatus.CHANGES_REQUESTED,
                                Metadata.of("reason", reason)));
        return new ReviewClaims.AutoRejected(
                ReviewTable.show(transaction, review.id).orElseThrow(), problem);
    }
}
