package dev.holdfast.review.queue;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.Reviewers;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a caller may speak on a claimed review: first that it presents a fence at all, then that the generation
 * is current, then that it is the holder's. Reviewer or generation alone is enough; whatever is given must be right.
 */
public record Fencing(RequireFence require, Reviewers reviewers) {
    public void check(ReviewChanges.Locked locked, Fence shown) throws SQLException {
        Claim claim = locked.claimState().claim();
        String holder = claim != null && guards(locked, claim.holder()) ? claim.holder() : null;
        Long generation = shown.generation();
        String reviewer = shown.holder();
        if (holder != null && generation == null && reviewer == null) {
            throw new RefusedException(
                    RefusalCode.FENCE_MISSING,
                    "Claimed reviews require reviewer_id or claim_generation for verdict submission");
        }
        long current = locked.claimState().generation();
        if (generation != null && generation != current) {
            throw new RefusedException(
                    RefusalCode.STALE,
                    "Stale claim: review was reclaimed since your claim. Your generation=" + generation + ", current="
                            + current);
        }
        if (claim != null
                && reviewer == null
                && reviewers.managed(locked.transaction(), claim.holder()).isPresent()) {
            // a generation can be guessed; a pool reviewer has to prove its identity
            throw new RefusedException(
                    RefusalCode.WRONG_HOLDER,
                    "Unauthorized: review is claimed by " + claim.holder()
                            + " of the pool, which must give its reviewer_id");
        }
        if (holder != null && reviewer != null && !reviewer.equals(holder)) {
            throw new RefusedException(
                    RefusalCode.WRONG_HOLDER, "Unauthorized: review is claimed by " + holder + ", not " + reviewer);
        }
    }

    private boolean guards(ReviewChanges.Locked locked, String holder) throws SQLException {
        return switch (require) {
            case ALWAYS -> true;
            case MANAGED -> reviewers.managed(locked.transaction(), holder).isPresent();
        };
    }

    /**
     * A verdict applies to what its reviewer was shown: the revision it names or, if it names none, the one served
     * under this grant.
     */
    public static void checkRevision(ReviewChanges.Locked locked, @Nullable String revision) {
        ReviewRow review = locked.review();
        if (revision != null && !revision.equals(review.revision)) {
            throw new RefusedException(
                    RefusalCode.STALE,
                    "Stale revision: you judged " + revision + ", but " + review.revision
                            + " is up for review now; read it with get_proposal");
        }
        Claim claim = locked.claimState().claim();
        Long unserved = review.unservedGeneration;
        if (revision == null && claim != null && unserved != null && unserved == claim.generation()) {
            throw new RefusedException(
                    RefusalCode.STALE,
                    "Stale revision: the proposal has changed since you were shown it; read it with"
                            + " get_proposal (caller_id: your reviewer_id), or name the revision that you judge");
        }
    }
}
