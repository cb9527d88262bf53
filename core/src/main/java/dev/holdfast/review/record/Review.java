package dev.holdfast.review.record;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a review.
 *
 * @param proposer of the current round; null if it was submitted before proposers were recorded
 * @param claimedBy who holds it, gave the last verdict, or is to have it next; null: nobody
 * @param revision hash of the content under review
 * @param generation of the last grant or reclaim
 * @param version increases with everything that happens to it
 * @param openFindings that are neither resolved nor waived
 * @param blockingFindings those of them that block approval
 */
public record Review(
        String id,
        ReviewStatus status,
        String intent,
        String agentType,
        String agentRole,
        String phase,
        @Nullable Proposer proposer,
        @Nullable String plan,
        @Nullable String task,
        @Nullable String project,
        @Nullable String category,
        String priority,
        int round,
        String revision,
        @Nullable String claimedBy,
        @Nullable String verdictReason,
        long generation,
        @Nullable Instant claimedAt,
        Instant createdAt,
        Instant updatedAt,
        long version,
        Attention attention,
        int openFindings,
        int blockingFindings) {
    public static Resource resource(String id) {
        return new Resource(Kind.REVIEW, id);
    }

    /** A review, and the claim that was granted on it. */
    public record Claimed(Review review, Claim claim, Revision revision) {}
}
