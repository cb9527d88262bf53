package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The cases of draining that the requirements list, by their names there (seed 000, 18 to 22; seed 002, 15 to 19): a
 * draining reviewer gets nothing new, and ends with its last claim; the audit log says what ended that.
 */
abstract class DrainCasesContract extends OnASettableClock {
    DrainCasesContract(Engine engine) {
        super(engine);
    }

    @Test
    void claim_review_rejects_draining_reviewer() {
        PoolReviewer reviewer = spawned();
        claim(create(), reviewer.id());
        drain(reviewer.id());
        String other = create();
        assertCannotClaim(other, reviewer, "draining");
        assertThat(status(other)).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void claim_review_rejects_terminated_reviewer() {
        PoolReviewer reviewer = spawned();
        drain(reviewer.id());
        pool.look();
        awaitTerminated(reviewer.id());
        String review = create();
        assertCannotClaim(review, reviewer, "terminated");
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void drain_finalization_after_terminal_verdict() {
        String review = create();
        PoolReviewer reviewer = drainingWith(review);
        approve(review, reviewer.id());
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(audited(reviewer.id()))
                .containsExactly("reviewer_spawned", "reviewer_drain_start", "reviewer_terminated");
        assertComplete(reviewer.id(), "manual", "terminal_verdict");
        assertThat(found(reviewer.id()).work().completed()).isEqualTo(1);
        assertThat(end(reviewer.id()).at()).isEqualTo(on.settableClock().now());
    }

    @Test
    void drain_finalization_after_reclaim() {
        String review = create();
        PoolReviewer reviewer = drainingWith(review);
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(lastReason(review)).isEqualTo("claim_timeout");
        assertEndsBy("reclaim", reviewer);
    }

    @Test
    void drain_finalization_not_triggered_with_remaining_claims() {
        String one = create();
        String other = create();
        PoolReviewer reviewer = drainingWith(one, other);
        approve(one, reviewer.id());
        assertRunsOn(reviewer);
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertEndsBy("reclaim", reviewer);
    }

    @Test
    void reject_claim_for_draining_reviewer() {
        PoolReviewer reviewer = spawned();
        claim(create(), reviewer.id());
        on.settableClock().advance(Duration.ofHours(1));
        pool.look();
        assertThat(drainReason(reviewer.id())).isEqualTo("ttl");
        assertCannotClaim(create(), reviewer, "draining");
    }

    @Test
    void reject_claim_for_terminated_reviewer() {
        PoolReviewer reviewer = spawned();
        ProcessHandle.of(pid(reviewer)).orElseThrow().destroyForcibly();
        awaitTerminated(reviewer.id());
        assertCannotClaim(create(), reviewer, "terminated");
    }

    @Test
    void terminate_draining_reviewer_after_terminal_verdict() {
        String review = create();
        PoolReviewer reviewer = drainingWith(review);
        say(review, "comment", "hm", reviewer.id());
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.DRAINING);
        say(review, "changes_requested", "no tests", reviewer.id());
        assertEndsBy("terminal_verdict", reviewer);
    }

    @Test
    void terminate_draining_reviewer_after_reclaim() {
        String review = create();
        PoolReviewer reviewer = drainingWith(review);
        on.settableClock().advance(Duration.ofMinutes(20));
        claim(review, "somebody-else"); // takes over what has timed out, before any sweep
        assertEndsBy("reclaim", reviewer);
    }

    @Test
    void no_termination_when_other_claims_remain() {
        String one = create();
        String other = create();
        PoolReviewer reviewer = drainingWith(one, other);
        reviews.proposals().withdraw(one, "not wanted", Caller.UNKNOWN);
        assertRunsOn(reviewer);
        approve(other, reviewer.id());
        assertEndsBy("terminal_verdict", reviewer);
    }

    // Beyond the listed cases

    @Test
    void who_holds_nothing_when_its_drain_begins_ends_by_the_drain_itself() {
        PoolReviewer reviewer = spawned();
        reviewers.heard(reviewer.id(), true);
        on.settableClock().advance(Duration.ofMinutes(5));
        pool.look();
        pool.look();
        awaitTerminated(reviewer.id());
        assertComplete(reviewer.id(), "idle", "drain_start");
    }

    @Test
    void a_release_a_revision_and_a_withdrawal_are_told_apart() {
        for (String trigger : List.of("release", "revision", "withdrawal")) {
            String review = create();
            PoolReviewer reviewer = drainingWith(review);
            switch (trigger) {
                case "release" -> reviews.claiming().release(review, Fence.of(reviewer.id(), 1), null);
                case "revision" -> revise(review);
                default -> reviews.proposals().withdraw(review, "not wanted", Caller.UNKNOWN);
            }
            assertEndsBy(trigger, reviewer);
            on.settableClock().advance(Duration.ofSeconds(10));
        }
    }

    @Test
    void one_that_took_a_timed_out_claim_over_itself_is_not_told_by_its_own_grant() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, "somebody-else");
        on.settableClock().advance(Duration.ofMinutes(20));
        reviewers.heard(reviewer.id(), true);
        claim(review, reviewer.id());
        drain(reviewer.id());
        reviews.verdicts()
                .submit(
                        review,
                        Verdicts.Submission.of("changes_requested", "no", new Fence(reviewer.id(), 2L)),
                        Caller.UNKNOWN);
        assertEndsBy("terminal_verdict", reviewer);
    }

    @Test
    void one_that_must_be_ended_before_its_drain_is_complete_says_so() {
        String review = create();
        PoolReviewer reviewer = drainingWith(review);
        for (int i = 0; i < 2; i++) {
            on.settableClock().advance(Duration.ofMinutes(10));
            claims.heartbeat(new Resource(Kind.REVIEW, review), Fence.of(reviewer.id(), 1));
        }
        pool.look();
        awaitTerminated(reviewer.id());
        JsonNode audited = lastOf(reviewer.id(), "reviewer_terminated");
        assertThat(audited.path("reason").asString()).isEqualTo("overdue");
        assertThat(audited.path("drain_reason").asString()).isEqualTo("manual");
        assertThat(audited.has("trigger")).isFalse();
    }

    private PoolReviewer drainingWith(String... held) {
        PoolReviewer reviewer = spawned();
        for (String review : held) {
            claim(review, reviewer.id());
        }
        drain(reviewer.id());
        return reviewer;
    }

    private void assertCannotClaim(String review, PoolReviewer reviewer, String because) {
        assertThatThrownBy(() -> claim(review, reviewer.id()))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Reviewer " + reviewer.id() + " is " + because + ", cannot claim new reviews");
    }

    private void assertRunsOn(PoolReviewer reviewer) {
        pool.look();
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.DRAINING);
        assertThat(ProcessHandle.of(pid(reviewer))).isPresent();
    }

    private void assertEndsBy(String trigger, PoolReviewer reviewer) {
        pool.look();
        awaitTerminated(reviewer.id());
        assertComplete(reviewer.id(), "manual", trigger);
    }

    private void assertComplete(String reviewer, String drainReason, String trigger) {
        JsonNode audited = lastOf(reviewer, "reviewer_terminated");
        assertThat(audited.path("reason").asString()).isEqualTo("drain_complete");
        assertThat(audited.path("drain_reason").asString()).isEqualTo(drainReason);
        assertThat(audited.path("trigger").asString()).isEqualTo(trigger);
    }
}
