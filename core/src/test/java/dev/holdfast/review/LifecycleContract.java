package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.proposal.Proposals;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims.AutoRejected;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** From proposal to closing, with everything that may come between. */
abstract class LifecycleContract extends OnReviews {
    static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    static final String OTHER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    LifecycleContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_review_goes_from_proposal_to_closing() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        Granted granted = claim(id, "reviewer-a");
        assertThat(granted.revision().diff()).isEqualTo(DIFF);
        read(id, "reviewer-a");
        verdict(id, "approved", "well done", "reviewer-a", 1L);
        assertThat(reviews.proposals().close(id, "proposer").status()).isEqualTo(ReviewStatus.CLOSED);
        assertThat(eventTypes(id)).containsExactly("review_created", "claimed", "verdict_submitted", "review_closed");
    }

    @Test
    void only_the_proposer_closes_and_only_what_is_approved() {
        String id = create();
        assertRefused(
                () -> reviews.proposals().close(id, "reviewer"),
                "bad_state",
                "Invalid closer_role: 'reviewer'. Only proposer may close reviews.");
        assertRefused(
                () -> reviews.proposals().close(id, "proposer"),
                "bad_state",
                "Invalid transition: pending -> closed. Valid targets from pending: ['changes_requested', 'claimed',"
                        + " 'withdrawn']");
        assertRefused(() -> reviews.proposals().close("none", "proposer"), "not_found", "Review not found: none");
    }

    @Test
    void a_claimed_review_is_claimed_again_by_nobody() {
        String id = create();
        claim(id, "reviewer-a");
        assertRefused(() -> claim(id, "reviewer-b"), "held", "Invalid transition: claimed -> claimed");
        assertRefused(() -> claim(id, "reviewer-a"), "bad_state", "Invalid transition: claimed -> claimed");
    }

    @Test
    void a_repeat_with_the_same_request_id_returns_the_grant() {
        String id = create();
        Granted first = (Granted) reviews.claiming().claim(id, "reviewer-a", null, "call-1");
        Granted again = (Granted) reviews.claiming().claim(id, "reviewer-a", null, "call-1");
        assertThat(again.claim().generation()).isEqualTo(first.claim().generation());
        assertThat(again.repeated()).isTrue();
        assertRefused(
                () -> reviews.claiming().claim(id, "reviewer-a", null, "call-2"), "bad_state", "Invalid transition");
    }

    @Test
    void a_claim_that_ran_out_can_be_taken_and_its_holder_judges_no_more() {
        String id = create();
        claim(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMinutes(21));
        assertThat(claim(id, "reviewer-b").claim().generation()).isEqualTo(2);
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", 1L), "stale", "Stale claim");
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", null), "wrong_holder", "Unauthorized");
    }

    @Test
    void a_sweep_makes_a_forgotten_review_pending_again() {
        String id = create();
        claim(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMinutes(21));
        claims.sweep(10);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(id).generation()).isEqualTo(2);
    }

    @Test
    void a_revision_of_a_claimed_review_fences_its_reviewer_out() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        claim(id, "reviewer-a");
        Review revised = revise(id, proposal().diff(OTHER));
        assertThat(revised.status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(revised.round()).isEqualTo(2);
        assertThat(revised.generation()).isEqualTo(2);
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", 1L), "stale", "Stale claim");
        assertRefused(
                () -> verdict(id, "approved", null, "reviewer-a", null),
                "bad_state",
                "Invalid transition: pending -> approved");
        assertThat(claims.heartbeat("reviewer-a").lost()).hasSize(1);
        assertThat(eventTypes(id)).containsExactly("review_created", "claimed", "review_revised");
        assertThat(fencedOut(id)).isEqualTo("reviewer-a");
    }

    /** Who has lost the review by the last that happened to it. */
    private String fencedOut(String id) {
        return reviews.history()
                .events(id, Page.Request.ALL)
                .entries()
                .getLast()
                .text(AuditEvent.FENCED_OUT);
    }

    @Test
    void a_pending_review_is_revised_only_after_changes_were_requested() {
        String id = create();
        assertRefused(() -> revise(id, proposal()), "bad_state", "Invalid transition: pending -> pending");
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no tests", "reviewer-a", 1L);
        revise(id, proposal());
        assertThat(revise(id, proposal()).round()).isEqualTo(3);
        claim(id, "reviewer-a");
        verdict(id, "approved", null, "reviewer-a", 2L);
        assertRefused(() -> revise(id, proposal()), "bad_state", "Invalid transition: approved -> pending");
    }

    @Test
    void every_round_and_every_verdict_stays_readable() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "c is nicer", "reviewer-a", 1L);
        revise(id, proposal().diff(OTHER));
        ProposalReader.Shown first = reviews.reading().proposal(id, 1L).orElseThrow();
        ProposalReader.Shown now = reviews.reading().proposal(id, null).orElseThrow();
        assertThat(first.revision().diff()).isEqualTo(DIFF);
        assertThat(now.revision().diff()).isEqualTo(OTHER);
        assertThat(now.verdicts().getFirst().reason()).isEqualTo("c is nicer");
        assertThat(now.verdicts().getFirst().revision())
                .isEqualTo(first.revision().revision());
        assertRefused(() -> reviews.reading().proposal(id, 3L), "not_found", "no round 3");
    }

    @Test
    void a_late_approval_after_changes_requested_and_a_revision_is_refused() {
        String id = create();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no tests", "reviewer-a", 1L);
        revise(id, proposal());
        assertRefused(
                () -> verdict(id, "approved", null, "reviewer-a", 1L),
                "bad_state",
                "Invalid transition: pending -> approved");
    }

    @Test
    void the_same_verdict_twice_is_answered_twice_and_given_once() {
        String id = create();
        claim(id, "reviewer-a");
        Verdicts.Submitted first = verdict(id, "changes_requested", " no tests ", "reviewer-a", 1L);
        Verdicts.Submitted again = verdict(id, "changes_requested", "no tests", "reviewer-a", 1L);
        assertThat(first.replayed()).isFalse();
        assertThat(again.replayed()).isTrue();
        assertThat(again.status()).isEqualTo(first.status());
        assertThat(verdict(id, "changes_requested", "no tests", null, 1L).replayed())
                .isTrue();
        assertThat(verdict(id, "changes_requested", "no tests", "reviewer-a", null)
                        .replayed())
                .isTrue();
        assertRefused(
                () -> verdict(id, "approved", null, "reviewer-a", 1L),
                "bad_state",
                "Invalid transition: changes_requested -> approved");
        assertThat(reviews.reading().proposal(id, null).orElseThrow().verdicts())
                .hasSize(1);
    }

    @Test
    void a_verdict_on_another_revision_is_stale() {
        String id = create();
        claim(id, "reviewer-a");
        Verdicts.Submission given = Verdicts.Submission.of("approved", null, Fence.of("reviewer-a", 1))
                .revision("another");
        assertRefused(() -> submit(id, given), "stale", "Stale revision");
        assertThat(submit(id, given.revision(shown(id).revision())).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void words_of_a_verdict_are_checked_in_order() {
        String id = create();
        assertRefused(
                () -> verdict(id, "changes_requested", " ", null, null),
                "invalid",
                "Notes (reason) required for 'changes_requested' verdict.");
        assertRefused(
                () -> verdict(id, "comment", null, null, null),
                "invalid",
                "Notes (reason) required for 'comment' verdict.");
        assertRefused(
                () -> submit(
                        id,
                        Verdicts.Submission.of("approved", null, new Fence(null, null))
                                .counterPatch(DIFF)),
                "invalid",
                "Counter-patches only allowed with changes_requested or comment verdicts");
        assertRefused(
                () -> verdict(id, "maybe", null, null, null),
                "invalid",
                "Invalid verdict: 'maybe'. Must be 'approved', 'changes_requested', or 'comment'.");
        assertRefused(
                () -> verdict(id, "comment", "hm", null, null),
                "bad_state",
                "Cannot comment on review in 'pending' state. Comments are only valid on claimed or in_review reviews.");
        assertRefused(() -> verdict("none", "approved", null, null, null), "not_found", "Review not found: none");
    }

    @Test
    void with_managed_fences_a_manual_reviewer_needs_none_but_a_stale_one_is_refused() {
        try (Reviews lenient = reviews(RequireFence.MANAGED)) {
            String id = create();
            claim(id, "reviewer-a");
            Verdicts.Submission stale = Verdicts.Submission.of("approved", null, new Fence(null, 7L));
            assertRefused(() -> lenient.verdicts().submit(id, stale, Caller.UNKNOWN), "stale", "Stale claim");
            managed.put("reviewer-a", new Reviewers.Managed("active", null, null));
            Verdicts.Submission bare = Verdicts.Submission.of("approved", null, new Fence(null, null));
            assertRefused(
                    () -> lenient.verdicts().submit(id, bare, Caller.UNKNOWN), "fence_missing", "require reviewer_id");
            managed.clear();
            assertThat(lenient.verdicts().submit(id, bare, Caller.UNKNOWN).status())
                    .isEqualTo(ReviewStatus.APPROVED);
        }
    }

    @Test
    void a_release_makes_it_pending_and_the_old_fence_opens_no_door() {
        String id = create();
        claim(id, "reviewer-a");
        assertThat(reviews.claiming()
                        .release(id, Fence.of("reviewer-a", 1), "too big for me")
                        .status())
                .isEqualTo(ReviewStatus.PENDING);
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", 1L), "bad_state", "pending -> approved");
        assertThat(claim(id, "reviewer-b").claim().generation()).isEqualTo(2);
        assertRefused(() -> reviews.claiming().release(id, Fence.of("reviewer-a", 1), null), "bad_state", "ended");
    }

    @Test
    void a_withdrawn_review_is_over_for_everybody() {
        String id = create();
        claim(id, "reviewer-a");
        assertThat(withdraw(id, "not needed").status()).isEqualTo(ReviewStatus.WITHDRAWN);
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", 1L), "stale", "Stale claim");
        assertRefused(() -> claim(id, "reviewer-b"), "bad_state", "Invalid transition: withdrawn -> claimed");
        assertRefused(() -> withdraw(id, "again"), "bad_state", "withdrawn -> withdrawn");
        assertThat(eventTypes(id)).containsExactly("review_created", "claimed", "review_withdrawn");
        assertThat(fencedOut(id)).isEqualTo("reviewer-a");
    }

    @Test
    void a_diff_that_does_not_apply_is_not_taken() {
        badDiffs.put(DIFF, "error: patch failed: x:1");
        Assertions.assertThatThrownBy(
                        () -> reviews.proposals().create(proposal().diff(DIFF)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.details())
                                .containsEntry("validation_error", "error: patch failed: x:1"))
                .hasMessage("Diff validation failed on submission. Diff does not apply cleanly.");
        assertThat(reviews.proposals()
                        .create(proposal().diff(DIFF).skipDiffValidation(true))
                        .status())
                .isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void a_diff_that_no_longer_applies_at_claim_time_goes_back() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        badDiffs.put(DIFF, "error: patch failed: x:1");
        AutoRejected rejected = (AutoRejected) reviews.claiming().claim(id, "reviewer-a", null, null);
        assertThat(rejected.review().status()).isEqualTo(ReviewStatus.CHANGES_REQUESTED);
        assertThat(rejected.review().claimedBy()).isEqualTo("broker-validator");
        assertThat(rejected.review().verdictReason())
                .isEqualTo("Auto-rejected: diff does not apply cleanly.\nerror: patch failed: x:1");
        assertThat(standing(id).claim()).isNull();
        assertThat(revise(id, proposal().diff(OTHER)).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(eventTypes(id)).containsExactly("review_created", "review_auto_rejected", "review_revised");
    }

    @Test
    void a_check_that_cannot_be_made_stops_a_proposal_but_no_reviewer() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        badDiffs.put(DIFF, "git did not answer in time");
        assertRefused(() -> reviews.proposals().create(proposal().diff(DIFF)), "invalid", "Diff validation failed");
        assertThat(claim(id, "reviewer-a").claim().generation()).isEqualTo(1);
    }

    @Test
    void a_text_that_is_no_diff_is_refused_and_taken_only_unchecked() {
        assertRefused(() -> reviews.proposals().create(proposal().diff("")), "invalid", "Diff validation failed");
        assertRefused(() -> reviews.proposals().create(proposal().diff("hello")), "invalid", "Diff validation failed");
        String id = reviews.proposals()
                .create(proposal().diff("hello").skipDiffValidation(true))
                .id();
        assertThat(reviews.reading().proposal(id, null).orElseThrow().revision().affectedFiles())
                .isEqualTo("[]");
    }

    @Test
    void a_final_newline_that_a_shell_cut_off_is_put_back() {
        String id = reviews.proposals()
                .create(proposal().diff(DIFF.stripTrailing()))
                .id();
        assertThat(reviews.reading().proposal(id, null).orElseThrow().revision().diff())
                .isEqualTo(DIFF);
    }

    @Test
    void what_is_too_large_is_refused_with_the_limit_named() {
        assertRefused(
                () -> reviews.proposals().create(proposal().diff("x".repeat((10 << 20) + 1))),
                "too_large",
                "the limit is 10485760");
        assertRefused(() -> reviews.proposals().create(proposal().category("x".repeat(201))), "too_large", "category");
        Assertions.assertThatThrownBy(
                        () -> reviews.proposals().create(proposal().description("a\0b")))
                .isInstanceOf(InvalidException.class);
    }

    @Test
    void ids_that_no_review_can_have_are_not_found() {
        for (String id : List.of("", " ", "none", "a\0b", "x".repeat(2_000))) {
            assertRefused(() -> claim(id, "reviewer-a"), "not_found", "Review not found: ");
            assertRefused(() -> verdict(id, "approved", null, null, null), "not_found", "Review not found: ");
        }
    }

    @Test
    void priority_is_decided_by_who_proposes_what() {
        assertThat(Priority.of("GSD-Planner", "7")).isEqualTo(Priority.CRITICAL);
        assertThat(Priority.of("gsd-executor", "verify-7")).isEqualTo(Priority.LOW);
        assertThat(Priority.of("gsd-executor", "7")).isEqualTo(Priority.NORMAL);
    }

    @Test
    void a_project_has_one_key_however_it_is_written() {
        assertThat(Project.key("/home/ann/Web-Shop/")).isEqualTo("webshop");
        assertThat(Project.key("C:\\work\\web_shop")).isEqualTo("webshop");
        assertThat(Project.key("Web Shop")).isEqualTo("webshop");
        assertThat(Project.key(null)).isEmpty();
    }

    @Test
    void projects_with_names_in_other_scripts_are_told_apart() {
        assertThat(Project.key("/src/银行")).isEqualTo("银行");
        assertThat(Project.key("银行 API")).isEqualTo("银行api");
        assertThat(Project.key("日本 API")).isEqualTo("日本api");
        assertThat(Project.key("🚀")).isEqualTo("🚀");
    }

    @Test
    void the_same_content_proposed_twice_from_a_commit_is_one_review_until_that_is_over() {
        Proposal made = proposal().diff(DIFF).base("a".repeat(40));
        Proposals.Taken first = reviews.proposals().propose(made, Caller.UNKNOWN);
        assertThat(first.existing()).isFalse();
        Proposals.Taken again = reviews.proposals().propose(made.base("b".repeat(40)), Caller.UNKNOWN);
        assertThat(again.existing()).isTrue();
        assertThat(again.review().id()).isEqualTo(first.review().id());
        assertThat(reviews.proposals()
                        .propose(made.project("other"), Caller.UNKNOWN)
                        .existing())
                .isFalse();
        assertThat(reviews.proposals().propose(made.base(null), Caller.UNKNOWN).existing())
                .as("who does not say what it was made from may mean something else by it")
                .isFalse();
        withdraw(first.review().id(), "not needed");
        withdraw(reviews.proposals().propose(made, Caller.UNKNOWN).review().id(), "neither");
        assertThat(reviews.proposals().propose(made, Caller.UNKNOWN).existing()).isFalse();
    }

    @Test
    void the_same_content_from_no_commit_is_one_review_for_all_who_propose_it_at_once() {
        Proposal made = proposal().diff(DIFF).base("0".repeat(40));
        CyclicBarrier start = new CyclicBarrier(4);
        List<CompletableFuture<Proposals.Taken>> all = IntStream.range(0, 4)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> {
                    meet(start);
                    return reviews.proposals().propose(made, Caller.UNKNOWN);
                }))
                .toList();
        List<Proposals.Taken> taken = all.stream().map(CompletableFuture::join).toList();
        assertThat(taken.stream().map(each -> each.review().id()).distinct()).hasSize(1);
        assertThat(taken.stream().filter(each -> !each.existing())).hasSize(1);
    }

    @Test
    void a_base_is_a_whole_commit_id_and_stays_with_its_round() {
        assertThatThrownBy(
                        () -> reviews.proposals().propose(proposal().diff(DIFF).base("HEAD"), Caller.UNKNOWN))
                .hasMessageContaining("base must be a whole commit id");
        String base = "c".repeat(40);
        String id = reviews.proposals()
                .propose(proposal().diff(DIFF).base(base), Caller.UNKNOWN)
                .review()
                .id();
        assertThat(on.store()
                        .read(transaction -> RevisionTable.current(transaction, id))
                        .base())
                .isEqualTo(base);
    }

    @Test
    void what_nobody_could_check_is_taken_and_the_answer_says_why() {
        badDiffs.put(DIFF, "not checked: no folder is known");
        Proposals.Taken taken = reviews.proposals().propose(proposal().diff(DIFF), Caller.UNKNOWN);
        assertThat(taken.unchecked()).isEqualTo("not checked: no folder is known");
        claim(taken.review().id(), "ann");
    }
}
