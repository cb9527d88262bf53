package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must know of the reviewers that brokers run. */
abstract class PoolReviewersContract extends OnReviews {
    private static final PoolReviewer.Host HERE = new PoolReviewer.Host("here", new PoolReviewer.Started(1, 1));

    private PoolReviewers pool = new PoolReviewers(on.store(), claims.events(), null);

    PoolReviewersContract(Engine engine) {
        super(engine);
    }

    @BeforeEach
    void pool() {
        pool(null);
    }

    private void pool(@Nullable Long reviewsPerHour) {
        pool = new PoolReviewers(on.store(), claims.events(), reviewsPerHour);
        reviews.close();
        reviews = new Reviews(
                on.store(),
                claims,
                RequireFence.ALWAYS,
                pool,
                DiffCheck.NONE,
                ReviewLimits.DEFAULT,
                () -> UUID.randomUUID().toString());
    }

    private String enlist(String id, @Nullable String project) {
        PoolReviewer.New made = new PoolReviewer.New(id, id, "s1", "broker-1", HERE, project, null, "/w", "hash-" + id);
        pool.enlist(_ -> List.of(made));
        return id;
    }

    private PoolReviewer found(String id) {
        return pool.find(id).orElseThrow();
    }

    @Test
    void verdicts_are_counted_with_the_time_they_took() {
        enlist("codex-r1-s1", null);
        String first = create();
        long generation = claim(first, "codex-r1-s1").claim().generation();
        on.settableClock().advance(Duration.ofSeconds(90));
        verdict(first, "approved", null, "codex-r1-s1", generation);
        String second = create();
        generation = claim(second, "codex-r1-s1").claim().generation();
        on.settableClock().advance(Duration.ofSeconds(30));
        verdict(second, "changes_requested", "no test", "codex-r1-s1", generation);

        assertThat(found("codex-r1-s1").work()).isEqualTo(new PoolReviewer.Work(2, Duration.ofMinutes(2), 1, 1));
        assertThat(found("codex-r1-s1").claims()).isEqualTo(2);
        assertThat(found("codex-r1-s1").lastActiveAt())
                .isEqualTo(on.settableClock().now());
    }

    @Test
    void a_repeated_verdict_is_counted_once() {
        enlist("codex-r1-s1", null);
        String id = create();
        long generation = claim(id, "codex-r1-s1").claim().generation();
        verdict(id, "approved", null, "codex-r1-s1", generation);
        assertThat(verdict(id, "approved", null, "codex-r1-s1", generation).replayed())
                .isTrue();
        assertThat(found("codex-r1-s1").work().completed()).isEqualTo(1);
    }

    @Test
    void nobody_speaks_for_a_pool_reviewer_by_guessing_its_generation() {
        enlist("codex-r1-s1", null);
        String id = create();
        long generation = claim(id, "codex-r1-s1").claim().generation();
        assertRefused(
                () -> verdict(id, "approved", null, null, generation),
                "wrong_holder",
                "Unauthorized: review is claimed by codex-r1-s1");
        assertThat(verdict(id, "approved", null, "codex-r1-s1", generation).status())
                .isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void a_reviewer_that_is_told_to_end_while_it_waits_for_the_next_gets_nothing() throws Exception {
        enlist("codex-r1-s1", null);
        NextReview.Request asked =
                new NextReview.Request("codex-r1-s1", null, null, null, null, Duration.ofSeconds(30));
        CompletableFuture<Optional<Granted>> waiting =
                CompletableFuture.supplyAsync(() -> reviews.next().claim(asked, Caller.UNKNOWN));
        Awaitility.await().until(() -> claims.waiting(Kind.REVIEW) == 1);
        assertThat(pool.drain("codex-r1-s1", "manual")).isTrue();
        String id = create();

        assertThat(waiting.handle((_, failure) -> String.valueOf(failure)).get())
                .contains("Reviewer codex-r1-s1 is draining, cannot claim new reviews");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void its_token_is_good_until_it_ends_and_only_its_hash_is_known() {
        enlist("codex-r1-s1", null);
        assertThat(pool.ofToken("hash-codex-r1-s1")).contains("codex-r1-s1");
        pool.drain("codex-r1-s1", "ttl");
        assertThat(pool.ofToken("hash-codex-r1-s1")).contains("codex-r1-s1");
        pool.terminated("codex-r1-s1", "ttl", 0, null);
        assertThat(pool.ofToken("hash-codex-r1-s1")).isEmpty();
        assertThat(pool.terminated("codex-r1-s1", "again", 1, null)).isFalse();
    }

    @Test
    void what_an_ended_reviewer_held_is_pending_again_and_what_another_took_meanwhile_is_not_touched() {
        enlist("codex-r1-s1", null);
        String held = create();
        claim(held, "codex-r1-s1");
        String other = create();
        claim(other, "bob");
        pool.terminated("codex-r1-s1", "exited", 137, "boom");

        assertThat(reviews.reclaims().reclaimFrom("codex-r1-s1", "reviewer_process_exit"))
                .isEqualTo(1);
        assertThat(shown(held).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(held).generation()).isEqualTo(2);
        assertThat(shown(other).claimedBy()).isEqualTo("bob");
        assertThat(detail(events(held).getLast()).at("/metadata/reason").asString())
                .isEqualTo("reviewer_process_exit");
    }

    @Test
    void a_limit_of_reviews_per_hour_holds_for_all_together_and_outlives_a_restart() {
        pool(2L);
        enlist("codex-r1-s1", null);
        enlist("codex-r2-s1", null);
        claim(create(), "codex-r1-s1");
        assertThat(reviews.next()
                        .claim(
                                new NextReview.Request(createAnd("codex-r2-s1"), null, null, null, null, Duration.ZERO),
                                Caller.UNKNOWN))
                .isPresent();
        pool(2L);
        enlist("codex-r3-s1", null);
        String third = create();
        assertRefused(() -> claim(third, "codex-r1-s1"), "busy", "2 reviews in the last hour");
        assertRefused(
                () -> reviews.next()
                        .claim(
                                new NextReview.Request("codex-r3-s1", null, null, null, null, Duration.ZERO),
                                Caller.UNKNOWN),
                "busy",
                "2 reviews in the last hour");
        assertThat(shown(third).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(claim(third, "a-person").claim().holder()).isEqualTo("a-person");
        on.settableClock().advance(Duration.ofMinutes(61));
        assertThat(claim(create(), "codex-r1-s1").claim().holder()).isEqualTo("codex-r1-s1");
    }

    private String createAnd(String reviewer) {
        create();
        return reviewer;
    }

    @Test
    void the_situation_tells_what_waits_by_project_who_is_there_and_who_lost_a_claim() {
        enlist("codex-r1-s1", "web-shop");
        String held = create();
        claim(held, "codex-r1-s1");
        create();
        reviews.proposals().create(Proposal.of("x", "gsd-executor", "proposer", "7"));

        PoolSituation situation = pool.situation();
        assertThat(situation.pending())
                .extracting(PoolSituation.Pending::key, PoolSituation.Pending::project, PoolSituation.Pending::count)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("webshop", "Web Shop", 1L),
                        org.assertj.core.groups.Tuple.tuple("", null, 1L));
        assertThat(situation.reviewers())
                .singleElement()
                .satisfies(live -> assertThat(live.claims()).isEqualTo(1))
                .satisfies(live -> assertThat(live.lost()).isFalse());
        assertThat(situation.spawnsInADay()).isEqualTo(1);
        assertThat(situation.reviewsInAnHour()).isEqualTo(1);

        on.settableClock().advance(Duration.ofMinutes(21));
        claims.sweep(10);
        assertThat(pool.situation().reviewers())
                .singleElement()
                .satisfies(live -> assertThat(live.lost()).isTrue());
    }

    @Test
    void crashes_in_a_row_are_counted_until_one_has_done_something() {
        assertThat(pool.situation().crashes()).isEqualTo(PoolSituation.Crashes.NONE);
        pool.terminated(enlist("codex-r1-s1", null), "exited", 1, "no key");
        on.settableClock().advance(Duration.ofSeconds(1));
        pool.terminated(enlist("codex-r2-s1", null), "hung", null, "hm");
        pool.terminated(enlist("codex-r3-s1", null), "manual", 0, null);
        assertThat(pool.situation().crashes())
                .isEqualTo(new PoolSituation.Crashes(2, on.settableClock().now(), "hm"));

        on.settableClock().advance(Duration.ofSeconds(1));
        enlist("codex-r4-s1", null);
        String id = create();
        verdict(
                id,
                "approved",
                null,
                "codex-r4-s1",
                claim(id, "codex-r4-s1").claim().generation());
        pool.terminated("codex-r4-s1", "exited", 1, null);
        assertThat(pool.situation().crashes().inARow()).isZero();
    }

    @Test
    void reviewers_of_a_broker_that_is_gone_are_found() {
        claims.claim(ClaimRequest.of(new Resource(Kind.BROKER, "broker-1"), "broker-1"));
        enlist("codex-r1-s1", null);
        assertThat(pool.ofDeadBrokers()).isEmpty();
        on.settableClock().advance(Duration.ofMinutes(1));
        assertThat(pool.ofDeadBrokers()).extracting(PoolReviewer::id).containsExactly("codex-r1-s1");
        pool.terminated("codex-r1-s1", "broker_gone", null, null);
        assertThat(pool.ofDeadBrokers()).isEmpty();
    }

    @Test
    void the_history_of_all_tells_of_reviewers_too_and_figures_count_reviews_only() {
        String review = create();
        enlist("codex-r1-s1", null);
        pool.started(
                new PoolReviewer.New("codex-r1-s1", "codex-r1", "s1", "broker-1", HERE, null, null, "/w", "hash"),
                new PoolReviewer.Started(7, 7));
        claim(review, "codex-r1-s1");
        pool.drain("codex-r1-s1", "ttl");
        pool.terminated("codex-r1-s1", "ttl", 0, null);
        List<AuditEvent> all = reviews.history().events(null, Page.Request.ALL).entries();
        assertThat(all)
                .extracting(AuditEvent::type)
                .containsExactly(
                        "review_created",
                        "reviewer_spawned",
                        "review_claimed",
                        "reviewer_drain_start",
                        "reviewer_terminated");
        assertThat(all).extracting(AuditEvent::reviewId).containsExactly(review, null, review, null, null);
        assertThat(String.valueOf(all.get(3).metadata())).contains("codex-r1-s1", "ttl");
        assertThat(reviews.history().events(review, Page.Request.ALL).entries())
                .extracting(AuditEvent::type)
                .containsExactly("review_created", "review_claimed");
        Page<AuditEvent> page = reviews.history().events(null, new Page.Request(2, null));
        assertThat(reviews.history()
                        .events(null, new Page.Request(2, page.next()))
                        .entries())
                .isEqualTo(all.subList(2, 4));
        assertThat(reviews.statistics().of(null).total()).isEqualTo(1);
    }

    @Test
    void one_that_has_ended_while_it_was_claiming_gets_nothing() {
        enlist("codex-r1-s1", null);
        pool.terminated("codex-r1-s1", "exited", 0, null);
        assertThatThrownBy(() -> on.store().write(transaction -> {
                    pool.claimed(transaction, "codex-r1-s1");
                    return 0;
                }))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Reviewer codex-r1-s1 is terminated, cannot claim new reviews");
    }

    @Test
    void what_one_that_has_ended_still_holds_is_found() {
        enlist("codex-r1-s1", null);
        enlist("codex-r2-s1", null);
        claim(create(), "codex-r1-s1");
        claim(create(), "codex-r2-s1");
        assertThat(pool.endedButHolding()).isEmpty();
        pool.terminated("codex-r1-s1", "exited", 0, null);
        assertThat(pool.endedButHolding()).containsExactly("codex-r1-s1");
        reviews.reclaims().reclaimFrom("codex-r1-s1", "reviewer_process_exit");
        assertThat(pool.endedButHolding()).isEmpty();
    }
}
