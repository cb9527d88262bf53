package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A review that is claimed as {@code review:<id>}, like any other thing, is claimed by the rules of reviews. */
abstract class KindClaimsContract extends OnReviews {
    private static final Duration LONG = Duration.ofSeconds(60);

    KindClaimsContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_claim_by_resource_is_a_claim_by_name() {
        String id = create();
        ClaimOutcome.Granted granted = (ClaimOutcome.Granted) take(id, "reviewer-a");
        assertThat(granted.claim().generation()).isEqualTo(1);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(take(id, "reviewer-b"))
                .isInstanceOfSatisfying(
                        Refusal.Held.class, held -> assertThat(held.holder()).isEqualTo("reviewer-a"));
        assertThat(reviews.kindClaims()
                        .claim(ClaimRequest.of(Review.resource(id), "reviewer-a")
                                .generation(1L)))
                .isInstanceOf(ClaimOutcome.AlreadyHeld.class);
        assertThat(take("none", "reviewer-a")).isInstanceOf(Refusal.NotFound.class);
    }

    @Test
    void its_diff_is_checked() {
        String id = reviews.proposals()
                .create(proposal().diff(LifecycleContract.DIFF))
                .id();
        badDiffs.put(LifecycleContract.DIFF, "error: x");
        assertThat(take(id, "reviewer-a")).isInstanceOf(Refusal.NotClaimable.class);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CHANGES_REQUESTED);
    }

    @Test
    void so_are_reservations_and_what_the_brokers_own_reviewers_may() {
        String id = create();
        managed.put("codex-r1", new Reviewers.Managed("draining", null, null));
        assertThat(take(id, "codex-r1"))
                .isEqualTo(new Refusal.ByItsRules(
                        "review:" + id,
                        RefusalCode.FORBIDDEN,
                        "Reviewer codex-r1 is draining, cannot claim new reviews"));
        comingBack.add("reviewer-a");
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no", "reviewer-a", 1L);
        addMessage(id, "proposer", "why?", null);
        assertThat(take(id, "reviewer-b"))
                .isEqualTo(new Refusal.ByItsRules(
                        "review:" + id, RefusalCode.HELD, "Review reserved for reviewer reviewer-a"));
        assertThat(take(id, "reviewer-a")).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void next_means_next_review() {
        String bad = reviews.proposals()
                .create(proposal().diff(LifecycleContract.DIFF))
                .id();
        badDiffs.put(LifecycleContract.DIFF, "error: x");
        String good =
                reviews.proposals().create(proposal().category("code_change")).id();
        NextRequest asked = NextRequest.of(Kind.REVIEW, "reviewer-a");
        assertThat(reviews.kindClaims().claimNext(asked.filter(new Filter("webshop", Set.of("code_change", "other")))))
                .isInstanceOf(ClaimOutcome.Nothing.class);
        assertThat(reviews.kindClaims().claimNext(asked.filter(Filter.queue("Web Shop"))))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Granted.class,
                        granted -> assertThat(granted.claim().resource()).isEqualTo(Review.resource(good)));
        assertThat(shown(bad).status()).isEqualTo(ReviewStatus.CHANGES_REQUESTED);
        managed.put("codex-r1", new Reviewers.Managed("terminated", null, null));
        assertThat(reviews.kindClaims().claimNext(NextRequest.of(Kind.REVIEW, "codex-r1")))
                .isInstanceOfSatisfying(
                        Refusal.ByItsRules.class,
                        refusal -> assertThat(refusal.code()).hasToString("forbidden"));
    }

    @Test
    void a_release_makes_it_pending_and_is_told_in_the_words_of_reviews() {
        String id = create();
        take(id, "reviewer-a");
        EndOutcome released = release(id, 1, Ending.released("half read"));
        assertThat(released).isInstanceOf(EndOutcome.Ended.class);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(eventTypes(id)).containsExactly("review_created", "claimed", "review_released");
        assertThat(release(id, 1, Ending.released("half read")))
                .isInstanceOfSatisfying(
                        EndOutcome.Ended.class,
                        again -> assertThat(again.replayed()).isTrue());
        assertThat(eventTypes(id)).hasSize(3);
        assertThat(release(id, 7, Ending.released(null))).isInstanceOf(Refusal.Lost.class);
        assertThat(release("none", 1, Ending.released(null))).isInstanceOf(Refusal.NotFound.class);
        assertThat(take(id, "reviewer-b"))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Granted.class,
                        granted -> assertThat(granted.note()).isEqualTo("half read"));
    }

    @Test
    void nothing_keeps_a_review_from_being_pending_or_from_running_out() {
        String id = create();
        take(id, "reviewer-a");
        assertThatThrownBy(() -> release(id, 1, Ending.released(null, true)))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("keep_status");
        claims.claim(ClaimRequest.of(Resource.key("outer"), "reviewer-b"));
        assertThatThrownBy(() -> reviews.kindClaims()
                        .claim(ClaimRequest.of(Review.resource(id), "reviewer-b")
                                .under(new OuterClaim(Resource.key("outer"), 1))))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("without under");
        assertThat(shown(id).claimedBy()).isEqualTo("reviewer-a");
    }

    @Test
    void who_waits_for_a_review_gets_it_when_it_is_let_go() {
        String id = create();
        take(id, "reviewer-a");
        CompletableFuture<ClaimOutcome> waiting = CompletableFuture.supplyAsync(() -> reviews.kindClaims()
                .claim(ClaimRequest.of(Review.resource(id), "reviewer-b").waiting(LONG)));
        release(id, 1, Ending.released(null));
        assertThat(waiting.join()).isInstanceOf(ClaimOutcome.Granted.class);
        assertThat(shown(id).claimedBy()).isEqualTo("reviewer-b");
    }

    @Test
    void a_heartbeat_is_the_same_for_every_kind() {
        String id = create();
        take(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMinutes(19));
        claims.heartbeat(Review.resource(id), Fence.of("reviewer-a", 1));
        on.settableClock().advance(Duration.ofMinutes(19));
        assertThat(claims.sweep(10)).isEmpty();
        assertThat(verdict(id, "approved", null, "reviewer-a", 1L).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    private ClaimOutcome take(String id, String reviewer) {
        return reviews.kindClaims().claim(ClaimRequest.of(Review.resource(id), reviewer));
    }

    private EndOutcome release(String id, long generation, Ending ending) {
        return reviews.kindClaims().release(Review.resource(id), Fence.of("reviewer-a", generation), ending);
    }
}
