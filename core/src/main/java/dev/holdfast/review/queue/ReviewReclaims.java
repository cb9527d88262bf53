package dev.holdfast.review.queue;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Transitions;
import dev.holdfast.store.BadRows;
import java.sql.SQLException;
import org.slf4j.LoggerFactory;

/** Reclaims reviews from their holders; each is pending again, at a new generation. */
public final class ReviewReclaims {
    private final ReviewChanges changes;
    private final Claims claims;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(ReviewReclaims.class), "take back");

    /** Whether a claim is still the one to reclaim, now that its review is locked. */
    interface Condition {
        boolean holds(ReviewChanges.Locked locked) throws SQLException;
    }

    public ReviewReclaims(ReviewChanges changes, Claims claims) {
        this.changes = changes;
        this.claims = claims;
    }

    /** Reclaims it from whoever holds it. */
    public Review reclaim(String id, String reason) {
        return changes.on(id, locked -> {
            Claim claim = locked.claimState().claim();
            if (claim == null) {
                throw Transitions.invalid(locked.status(), ReviewStatus.PENDING, RefusalCode.BAD_STATE);
            }
            reclaim(locked, claim, reason);
            return ReviewTable.show(locked.transaction(), id).orElseThrow();
        });
    }

    /** Reclaims everything that this reviewer holds; returns how many reviews that were. */
    public int reclaimFrom(String reviewer, String reason) {
        return (int) claims.held(Kind.REVIEW, reviewer, null).stream()
                .filter(held -> reclaim(held, reason))
                .count();
    }

    /**
     * Reclaims unless it has ended or been granted again since; one that cannot be reclaimed is logged and retried
     * later.
     */
    boolean reclaim(Claim held, String reason) {
        return reclaim(held, reason, locked -> {
            Claim claim = locked.claimState().claim();
            return claim != null && claim.fence().equals(held.fence());
        });
    }

    boolean reclaim(Claim held, String reason, Condition still) {
        return bad.attempt(held.resource().toString(), () -> {
            try {
                return changes.on(held.resource().id(), locked -> {
                    boolean due = still.holds(locked);
                    if (due) {
                        reclaim(locked, held, reason);
                    }
                    return due;
                });
            } catch (RefusedException _) {
                return false; // the review no longer exists
            }
        });
    }

    private void reclaim(ReviewChanges.Locked locked, Claim claim, String reason) throws SQLException {
        long next = claim.generation() + 1;
        changes.transactional()
                .reclaim(
                        locked.transaction(),
                        locked.resource(),
                        claim.generation(),
                        reason,
                        ReviewChanges.event(
                                "review_reclaimed",
                                "pool-manager",
                                locked.status(),
                                ReviewStatus.PENDING,
                                Metadata.of(
                                        "old_reviewer", claim.holder(), "reason", reason, "claim_generation", next)));
        locked.save();
    }
}
