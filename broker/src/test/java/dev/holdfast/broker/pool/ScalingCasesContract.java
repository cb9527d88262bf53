package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cases of scaling and recovery that the pool's requirements list, by their names there (seed 002, 1 to 14 and 20 to
 * 23); those of draining are {@link DrainCasesContract}'s.
 */
abstract class ScalingCasesContract extends OnASettableClock {
    ScalingCasesContract(Engine engine) {
        super(engine);
    }

    @Test
    void spawn_reviewer_tool() {
        Answer answer = call(pool, "spawn_reviewer", Map.of());
        assertThat(answer.body())
                .containsEntry("status", "active")
                .containsEntry("display_name", "command-r1")
                .containsEntry("reviewer_id", "command-r1-" + pool.session());
        assertThat(call(pool, "spawn_reviewer", Map.of()).body())
                .containsEntry("error", "Spawn cooldown active")
                .containsEntry("retry_after_seconds", 10.0)
                .containsEntry("code", "busy");
        for (int i = 0; i < 2; i++) {
            on.settableClock().advance(Duration.ofSeconds(10));
            assertThat(call(pool, "spawn_reviewer", Map.of()).refusal()).isNull();
        }
        on.settableClock().advance(Duration.ofSeconds(10));
        assertThat(call(pool, "spawn_reviewer", Map.of()).body())
                .containsEntry("error", "Reviewer pool cap reached")
                .containsEntry("max_pool_size", 3);
    }

    @Test
    void spawn_reviewer_pool_not_configured() {
        assertThat(call(null, "spawn_reviewer", Map.of()).body())
                .containsEntry("error", "Reviewer pool not configured. Add reviewer_pool section to config.")
                .containsEntry("code", "bad_state");
    }

    @Test
    void kill_reviewer_tool() {
        PoolReviewer reviewer = spawned();
        Answer answer = call(pool, "kill_reviewer", Map.of("reviewer_id", reviewer.id()));
        assertThat(answer.body()).containsEntry("status", "draining").containsEntry("remaining_claims", 0L);
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(audited(reviewer.id()))
                .containsExactly("reviewer_spawned", "reviewer_drain_start", "reviewer_terminated");
    }

    @Test
    void kill_reviewer_unknown_id() {
        assertThat(call(pool, "kill_reviewer", Map.of("reviewer_id", "codex-r9-0a1b2c3d"))
                        .body())
                .containsEntry("error", "Unknown broker-managed reviewer_id: codex-r9-0a1b2c3d")
                .containsEntry("code", "not_found");
    }

    @Test
    void kill_reviewer_pool_not_configured() {
        assertThat(call(null, "kill_reviewer", Map.of("reviewer_id", "codex-r9-0a1b2c3d"))
                        .body())
                .containsEntry("error", "Reviewer pool not configured. Add reviewer_pool section to config.");
    }

    @Test
    void reactive_scaling_cold_start() {
        pool.look();
        assertThat(reviewers.live()).isEmpty();
        create();
        pool.look();
        assertThat(reviewers.live())
                .singleElement()
                .satisfies(reviewer -> assertThat(reviewer.state()).isEqualTo(State.ACTIVE));
    }

    @Test
    void reactive_scaling_ratio() {
        spawned();
        on.settableClock().advance(Duration.ofSeconds(10));
        for (int i = 0; i < 4; i++) {
            create();
        }
        pool.look();
        assertThat(reviewers.live()).hasSize(2);
    }

    @Test
    void reactive_scaling_sufficient_reviewers() {
        spawned();
        on.settableClock().advance(Duration.ofSeconds(10));
        create();
        create();
        pool.look();
        assertThat(reviewers.live()).hasSize(1);
    }

    @Test
    void idle_timeout_triggers_drain() {
        PoolReviewer reviewer = spawned();
        reviewers.heard(reviewer.id(), true);
        on.settableClock().advance(Duration.ofMinutes(5).minusMillis(1));
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.ACTIVE);
        on.settableClock().advance(Duration.ofMillis(1));
        pool.look();
        assertThat(drainReason(reviewer.id())).isEqualTo("idle");
    }

    @Test
    void ttl_expiry_triggers_drain() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        for (int i = 0; i < 4; i++) {
            on.settableClock().advance(Duration.ofMinutes(15));
            claims.heartbeat(new Resource(Kind.REVIEW, review), Fence.of(reviewer.id(), 1));
        }
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.DRAINING);
        assertThat(drainReason(reviewer.id())).isEqualTo("ttl");
        pool.look();
        assertThat(reviews.catalogue().find(review).orElseThrow().status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    /** Claims have leases, so that what times out is swept with everything else, also without a pool. */
    @Test
    void claim_timeout_triggers_reclaim() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
        assertThat(lastReason(review)).isEqualTo("claim_timeout");
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(end(reviewer.id()).reason()).isEqualTo("claim_timeout");
        JsonNode audited = lastOf(reviewer.id(), "reviewer_terminated");
        assertThat(audited.path("reason").asString()).isEqualTo("claim_timeout");
        assertThat(audited.has("trigger")).isFalse();
    }

    @Test
    void stale_session_recovery_on_startup() {
        List<String> held = List.of(create(), create());
        held.forEach(review -> claim(review, foreign("codex-r1-ffffffff", "broker-0")));
        new Orphans(reviewers, reviews, HERE, RemoteTermination.HERE).cleanUpAtStart(true);
        assertThat(found("codex-r1-ffffffff").state()).isEqualTo(State.TERMINATED);
        assertThat(end("codex-r1-ffffffff").reason()).isEqualTo("broker_gone");
        assertThat(held).allMatch(review -> status(review) == ReviewStatus.PENDING);
        assertThat(lastReason(held.getFirst())).isEqualTo("stale_session");
    }

    @Test
    void list_reviewers_tool() {
        PoolReviewer reviewer = spawned();
        Map<String, @Nullable Object> body =
                call(pool, "list_reviewers", Map.of()).body();
        assertThat(body).containsEntry("session_token", pool.session()).containsEntry("pool_size", 1L);
        assertThat(JsonMapper.shared().valueToTree(body).at("/reviewers/0/id").asString())
                .isEqualTo(reviewer.id());
    }

    @Test
    void dead_process_cleanup() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        ProcessHandle.of(pid(reviewer)).orElseThrow().destroyForcibly();
        awaitTerminated(reviewer.id());
        await().until(() -> status(review) == ReviewStatus.PENDING);
        assertThat(end(reviewer.id()).exitCode()).isEqualTo(137);
        assertThat(lastReason(review)).isEqualTo("reviewer_process_exit");
    }

    @Test
    void startup_reclaims_claimed_review_with_missing_reviewer_row() {
        String review = create();
        claim(review, "nobody-knows");
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
        assertThat(lastReason(review)).isEqualTo("stale_session");
    }

    @Test
    void startup_reclaims_claimed_review_from_foreign_session() {
        String review = create();
        claim(review, foreign("codex-r1-ffffffff", "broker-0"));
        new Orphans(reviewers, reviews, HERE, RemoteTermination.HERE).cleanUpAtStart(true);
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void startup_preserves_claimed_review_from_live_current_session_reviewer() {
        String review = create();
        claim(review, spawned().id());
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(ReviewStatus.CLAIMED);
    }

    /** No claim is without an expiry here; the store itself refuses one. Imported claims are given theirs on the way in. */
    @Test
    void claim_timeout_reclaim_with_null_claimed_at() {
        String review = create();
        claim(review, "somebody");
        if (on.address() == null) { // PostgreSQL does not check it: that would cost every claim
            assertThatThrownBy(() -> on.store()
                            .write(transaction -> transaction.update(
                                    Sql.of("UPDATE resources SET expires_at = NULL WHERE state = 'held'"), _ -> {})))
                    .isInstanceOf(StoreException.class);
        }
        on.store()
                .write(transaction -> transaction.update(
                        Sql.of("UPDATE resources SET acquired_at = NULL WHERE state = 'held'"), _ -> {}));
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
        assertThat(lastReason(review)).isEqualTo("claim_timeout");
    }

    // Beyond the listed cases

    @Test
    void a_forced_end_does_not_wait_for_what_is_claimed() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        Answer answer = call(pool, "kill_reviewer", Map.of("reviewer_id", reviewer.id(), "force", true));
        assertThat(answer.body()).containsEntry("status", "terminated").containsEntry("terminated", true);
        assertThat(status(review)).isEqualTo(ReviewStatus.PENDING);
        assertThatThrownBy(() -> approve(review, reviewer.id())).isInstanceOf(RefusedException.class);
        await().until(() ->
                pool.log(reviewer.id(), 0, 10, Duration.ZERO).records().size() == 3);
        assertThat(ProcessHandle.of(pid(reviewer))).isEmpty();
    }

    @Test
    void who_ends_a_reviewer_and_why_is_audited() {
        PoolReviewer slow = spawned();
        call(pool, "kill_reviewer", Map.of("reviewer_id", slow.id(), "by", "ann", "reason", "too slow"));
        assertThat(lastOf(slow.id(), "reviewer_drain_start").path("reason").asString())
                .isEqualTo("manual");
        assertThat(lastOf(slow.id(), "reviewer_drain_start").path("why").asString())
                .isEqualTo("too slow");
        call(
                pool,
                "kill_reviewer",
                Map.of("reviewer_id", slow.id(), "force", true, "by", "ann", "reason", "still too slow"));
        assertThat(lastOf(slow.id(), "reviewer_drain_start").path("reason").asString())
                .isEqualTo("force");
        assertThat(lastOf(slow.id(), "reviewer_drain_start").path("why").asString())
                .isEqualTo("still too slow");
        assertThat(askedToEnd(slow.id())).containsExactly("ann", "ann");
    }

    @Test
    void whoever_ends_a_reviewer_need_not_say_why() {
        PoolReviewer reviewer = spawned();
        call(pool, "kill_reviewer", Map.of("reviewer_id", reviewer.id(), "force", true, "reason", " "));
        assertThat(lastOf(reviewer.id(), "reviewer_drain_start").has("why")).isFalse();
        assertThat(askedToEnd(reviewer.id())).containsExactly("pool-manager");
    }

    private List<String> askedToEnd(String reviewer) {
        return claims.tail().after(0, "reviewer:" + reviewer, 100).stream()
                .filter(event -> event.type().equals("reviewer_drain_start"))
                .map(event -> String.valueOf(event.actor()))
                .toList();
    }

    @Test
    void a_reviewer_that_another_broker_took_for_dead_is_ended() {
        PoolReviewer reviewer = spawned();
        reviewers.terminated(reviewer.id(), "broker_gone", null, null);
        pool.look();
        await().until(() ->
                ProcessHandle.of(pid(reviewer)).filter(ProcessHandle::isAlive).isEmpty());
    }
}
