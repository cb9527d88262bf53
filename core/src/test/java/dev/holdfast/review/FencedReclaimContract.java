package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Kind;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cases of fenced reclaim that every store must pass, by the names and in the order in which they were first written
 * down (seed 000); the three in which a drained reviewer ends (20 to 22) need a pool and are the broker's.
 */
abstract class FencedReclaimContract extends OnAPoolsRegister {
    FencedReclaimContract(Engine engine) {
        super(engine);
    }

    @Test
    void claim_review_returns_claim_generation() {
        assertThat(claim(create(), "reviewer-a").claim().generation()).isEqualTo(1);
    }

    @Test
    void claim_review_sets_claimed_at() {
        String id = create();
        claim(id, "reviewer-a");
        assertThat(shown(id).claimedAt()).isEqualTo(on.settableClock().now());
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    @Test
    void submit_verdict_with_valid_claim_generation() {
        String id = create();
        long generation = claim(id, "reviewer-a").claim().generation();
        assertThat(verdict(id, "approved", null, null, generation).status()).isEqualTo(ReviewStatus.APPROVED);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void submit_verdict_with_stale_claim_generation() {
        String id = claimedReclaimedAndClaimedAgain();
        assertRefused(
                () -> verdict(id, "approved", null, null, 1L),
                "stale",
                "Stale claim: review was reclaimed since your claim. Your generation=1, current=3");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    @Test
    void submit_verdict_without_claim_generation_backward_compat() {
        String id = create();
        claim(id, "reviewer-a");
        assertThat(verdict(id, "approved", null, "reviewer-a", null).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void reclaim_review_transitions_to_pending() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(id).claimedBy()).isNull();
    }

    @Test
    void reclaim_review_increments_claim_generation() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        assertThat(shown(id).generation()).isEqualTo(2);
    }

    @Test
    void reclaim_review_clears_claimed_at() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        assertThat(shown(id).claimedAt()).isNull();
    }

    @Test
    void reclaim_review_only_claimed_status() {
        String id = create();
        assertRefused(
                () -> reviews.reclaims().reclaim(id, "claim_timeout"), "bad_state", "Invalid transition: pending");
        assertThat(shown(id).generation()).isZero();
    }

    @Test
    void full_race_scenario() {
        String id = create();
        Granted first = claim(id, "reviewer-a");
        timeOut(id);
        Granted second = claim(id, "reviewer-b");
        assertThat(second.claim().generation()).isEqualTo(3);
        assertRefused(
                () -> verdict(id, "approved", null, "reviewer-a", first.claim().generation()), "stale", "Stale claim");
        assertThat(verdict(id, "changes_requested", "no tests", "reviewer-b", 3L)
                        .status())
                .isEqualTo(ReviewStatus.CHANGES_REQUESTED);
        assertThat(audited(id).stream().map(AuditEvent::type))
                .containsExactly(
                        "review_created", "review_claimed", "review_reclaimed", "review_claimed", "verdict_submitted");
    }

    @Test
    void reclaim_records_audit_event() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        AuditEvent event = audited(id).getLast();
        assertThat(event.type()).isEqualTo("review_reclaimed");
        assertThat(event.actor()).isEqualTo("pool-manager");
        assertThat(event.oldStatus()).isEqualTo("claimed");
        assertThat(event.newStatus()).isEqualTo("pending");
        JsonNode metadata = JsonMapper.shared().valueToTree(event.metadata());
        assertThat(metadata.path("old_reviewer").asString()).isEqualTo("reviewer-a");
        assertThat(metadata.path("reason").asString()).isEqualTo("claim_timeout");
        assertThat(metadata.path("claim_generation").asLong()).isEqualTo(2);
    }

    @Test
    void comment_verdict_with_stale_claim_generation() {
        String id = claimedReclaimedAndClaimedAgain();
        assertRefused(() -> verdict(id, "comment", "looks odd", null, 1L), "stale", "Stale claim");
        assertThat(shown(id).verdictReason()).isNull();
    }

    @Test
    void submit_verdict_wrong_reviewer_rejected() {
        String id = create();
        claim(id, "reviewer-a");
        assertRefused(
                () -> verdict(id, "approved", null, "reviewer-b", null),
                "wrong_holder",
                "Unauthorized: review is claimed by reviewer-a, not reviewer-b");
        assertRefused(() -> verdict(id, "approved", null, "reviewer-b", 1L), "wrong_holder", "Unauthorized");
    }

    @Test
    void submit_verdict_correct_reviewer_accepted() {
        String id = create();
        long generation = claim(id, "reviewer-a").claim().generation();
        assertThat(verdict(id, "approved", null, "reviewer-a", generation).status())
                .isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void submit_verdict_no_reviewer_id_with_claim_generation_accepted() {
        String id = create();
        long generation = claim(id, "reviewer-a").claim().generation();
        assertThat(verdict(id, "approved", null, null, generation).status()).isEqualTo(ReviewStatus.APPROVED);
        assertThat(shown(id).claimedBy()).isEqualTo("reviewer-a");
    }

    @Test
    void submit_verdict_claimed_review_both_omitted_rejected() {
        String id = create();
        claim(id, "reviewer-a");
        assertRefused(
                () -> verdict(id, "approved", null, null, null),
                "fence_missing",
                "Claimed reviews require reviewer_id or claim_generation for verdict submission");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    /** Only an imported review can be under review with nobody holding it; a pending one takes no verdict at all. */
    @Test
    void submit_verdict_non_claimed_review_both_omitted_accepted() {
        String pending = create();
        assertRefused(() -> verdict(pending, "approved", null, null, null), "bad_state", "Invalid transition: pending");
        String id = create();
        on.store().write(transaction -> {
            transaction.update(Sql.of("UPDATE resources SET state = 'done' WHERE kind = 'review'"), _ -> {});
            return transaction.update(Sql.of("UPDATE reviews SET status = 'in_review'"), _ -> {});
        });
        assertThat(verdict(id, "approved", null, null, null).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void claim_review_rejects_draining_reviewer() {
        String id = create();
        enlist("codex-r1-abc");
        pool.drain("codex-r1-abc", "manual");
        assertRefused(
                () -> claim(id, "codex-r1-abc"),
                "forbidden",
                "Reviewer codex-r1-abc is draining, cannot claim new reviews");
    }

    @Test
    void claim_review_rejects_terminated_reviewer() {
        String id = create();
        enlist("codex-r1-abc");
        pool.terminated("codex-r1-abc", "exited", 0, null);
        assertRefused(
                () -> claim(id, "codex-r1-abc"),
                "forbidden",
                "Reviewer codex-r1-abc is terminated, cannot claim new reviews");
    }

    @Test
    void claim_review_allows_unknown_reviewer_id() {
        assertThat(claim(create(), "manual-reviewer-xyz").claim().holder()).isEqualTo("manual-reviewer-xyz");
    }

    @Test
    void a_review_whose_claim_timed_out_counts_as_changed_then() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        assertThat(shown(id).updatedAt()).isEqualTo(on.settableClock().now());
    }

    private String claimedReclaimedAndClaimedAgain() {
        String id = create();
        claim(id, "reviewer-a");
        timeOut(id);
        claim(id, "reviewer-b");
        return id;
    }

    /** Its lease runs out, and the broker sweeps. */
    private void timeOut(String id) {
        on.settableClock().advance(Kind.REVIEW.lease());
        assertThat(claims.sweep(10)).containsExactly(Review.resource(id));
    }

    private List<AuditEvent> audited(String id) {
        return reviews.history().events(id, Page.Request.ALL).entries();
    }
}
