package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.git.Repositories;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.ReviewVerbs;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.review.Claiming.Granted;
import dev.holdfast.review.DiffCheck;
import dev.holdfast.review.Limits;
import dev.holdfast.review.PoolReviewer;
import dev.holdfast.review.PoolReviewer.State;
import dev.holdfast.review.PoolReviewers;
import dev.holdfast.review.Proposal;
import dev.holdfast.review.RequireFence;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.Status;
import dev.holdfast.review.Verdicts;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import dev.holdfast.testing.TestStore;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cases of scaling and recovery that the pool's requirements list, by their names there, on every store. The clock
 * stands still until a case moves it; the reviewers are real processes that sleep.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScalingCasesContract {
    private static final String OWN = "broker-1";
    private static final PoolReviewer.Host HERE = BrokerProcess.on(Machine.here());

    private final TestStore on;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Claims claims;

    @SuppressWarnings("NullAway.Init")
    private PoolReviewers reviewers;

    @SuppressWarnings("NullAway.Init")
    private Reviews reviews;

    @SuppressWarnings("NullAway.Init")
    private ReviewerPool pool;

    ScalingCasesContract(Engine engine) {
        on = TestStore.settable(engine);
    }

    @BeforeEach
    void begin() {
        on.empty();
        claims = Claims.over(on.store());
        reviewers = new PoolReviewers(on.store(), claims.events(), null);
        reviews = new Reviews(
                on.store(),
                claims,
                RequireFence.ALWAYS,
                reviewers,
                DiffCheck.NONE,
                Limits.DEFAULT,
                () -> UUID.randomUUID().toString());
        pool = pool();
    }

    private ReviewerPool pool() {
        PoolConfig config = new PoolConfig(
                new PoolConfig.Engine("command", null, OnAPool.SLEEPER, Set.of(), Set.of()),
                new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()),
                new PoolConfig.Workspace(folder, null, "Ubuntu"),
                null,
                OnAPool.size(3, 3, Duration.ofSeconds(10), Duration.ofMinutes(5)),
                new PoolConfig.Limits(null, null, 256 << 20));
        Scaling rules = new Scaling(
                3,
                3,
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Duration.ofMinutes(20),
                null,
                null);
        ReviewerPool made = new ReviewerPool(
                new ReviewerPool.Surroundings(
                        reviewers,
                        reviews,
                        claims.tail(),
                        () -> OWN,
                        HERE,
                        folder.resolve("logs"),
                        Clock.systemUTC(),
                        new SecureRandom(),
                        new Meters()),
                new Launcher(config, new Repositories(folder, Map.of()), System.getenv()),
                rules,
                config.limits().logBytes(),
                Duration.ofSeconds(30));
        made.at(URI.create("http://127.0.0.1:1/mcp"));
        return made;
    }

    @AfterEach
    void end() {
        pool.close();
        reviews.close();
        claims.close();
    }

    @AfterAll
    void close() {
        on.close();
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
        assertThat(told(reviewer.id()))
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
        assertThat(reviews.catalogue().find(review).orElseThrow().status()).isEqualTo(Status.CLAIMED);
    }

    /** Claims have leases, so that what times out is swept with everything else, also without a pool. */
    @Test
    void claim_timeout_triggers_reclaim() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(status(review)).isEqualTo(Status.PENDING);
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(end(reviewer.id()).reason()).isEqualTo("claim_timeout");
    }

    @Test
    void stale_session_recovery_on_startup() {
        List<String> held = List.of(create(), create());
        held.forEach(review -> claim(review, foreign("codex-r1-ffffffff", "broker-0")));
        new Orphans(reviewers, reviews, HERE, Reach.HERE).buryAtStart(true);
        assertThat(found("codex-r1-ffffffff").state()).isEqualTo(State.TERMINATED);
        assertThat(end("codex-r1-ffffffff").reason()).isEqualTo("broker_gone");
        assertThat(held).allMatch(review -> status(review) == Status.PENDING);
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
        await().until(() -> status(review) == Status.PENDING);
        assertThat(end(reviewer.id()).exitCode()).isEqualTo(137);
        assertThat(lastReason(review)).isEqualTo("reviewer_process_exit");
    }

    @Test
    void reject_claim_for_draining_reviewer() {
        String id = foreign("codex-r1-ffffffff", OWN);
        reviewers.drain(id, "manual");
        assertThatThrownBy(() -> claim(create(), id))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Reviewer " + id + " is draining, cannot claim new reviews");
    }

    @Test
    void reject_claim_for_terminated_reviewer() {
        String id = foreign("codex-r1-ffffffff", OWN);
        reviewers.terminated(id, "exited", 0, null);
        assertThatThrownBy(() -> claim(create(), id))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Reviewer " + id + " is terminated, cannot claim new reviews");
    }

    @Test
    void terminate_draining_reviewer_after_terminal_verdict() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        reviewers.drain(reviewer.id(), "manual");
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.DRAINING);
        approve(review, reviewer.id());
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(told(reviewer.id())).last().isEqualTo("reviewer_terminated");
        assertThat(found(reviewer.id()).work().completed()).isEqualTo(1);
    }

    @Test
    void terminate_draining_reviewer_after_reclaim() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        reviewers.drain(reviewer.id(), "manual");
        reviews.claiming().reclaim(review, "claim_timeout");
        pool.look();
        awaitTerminated(reviewer.id());
        assertThat(told(reviewer.id())).last().isEqualTo("reviewer_terminated");
    }

    @Test
    void no_termination_when_other_claims_remain() {
        PoolReviewer reviewer = spawned();
        String one = create();
        String other = create();
        claim(one, reviewer.id());
        claim(other, reviewer.id());
        reviewers.drain(reviewer.id(), "manual");
        approve(one, reviewer.id());
        pool.look();
        pool.look();
        assertThat(found(reviewer.id()).state()).isEqualTo(State.DRAINING);
        assertThat(ProcessHandle.of(pid(reviewer))).isPresent();
    }

    @Test
    void startup_reclaims_claimed_review_with_missing_reviewer_row() {
        String review = create();
        claim(review, "nobody-knows");
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(Status.PENDING);
        assertThat(lastReason(review)).isEqualTo("stale_session");
    }

    @Test
    void startup_reclaims_claimed_review_from_foreign_session() {
        String review = create();
        claim(review, foreign("codex-r1-ffffffff", "broker-0"));
        new Orphans(reviewers, reviews, HERE, Reach.HERE).buryAtStart(true);
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(Status.PENDING);
    }

    @Test
    void startup_preserves_claimed_review_from_live_current_session_reviewer() {
        String review = create();
        claim(review, spawned().id());
        sweepAfterAStart();
        assertThat(status(review)).isEqualTo(Status.CLAIMED);
    }

    /** No claim is without an expiry here; the store itself refuses one. Imported claims are given theirs on the way in. */
    @Test
    void claim_timeout_reclaim_with_null_claimed_at() {
        String review = create();
        claim(review, "somebody");
        assertThatThrownBy(() -> on.store()
                        .write(transaction -> transaction.update(
                                Sql.of("UPDATE resources SET expires_at = NULL WHERE state = 'held'"), _ -> {})))
                .isInstanceOf(StoreException.class);
        on.store()
                .write(transaction -> transaction.update(
                        Sql.of("UPDATE resources SET acquired_at = NULL WHERE state = 'held'"), _ -> {}));
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(status(review)).isEqualTo(Status.PENDING);
    }

    // Beyond the listed cases

    @Test
    void a_forced_end_does_not_wait_for_what_is_claimed() {
        PoolReviewer reviewer = spawned();
        String review = create();
        claim(review, reviewer.id());
        Answer answer = call(pool, "kill_reviewer", Map.of("reviewer_id", reviewer.id(), "force", true));
        assertThat(answer.body()).containsEntry("status", "terminated").containsEntry("terminated", true);
        assertThat(status(review)).isEqualTo(Status.PENDING);
        assertThatThrownBy(() -> approve(review, reviewer.id())).isInstanceOf(RefusedException.class);
        await().until(() ->
                pool.log(reviewer.id(), 0, 10, Duration.ZERO).records().size() == 3);
        assertThat(ProcessHandle.of(pid(reviewer))).isEmpty();
    }

    @Test
    void a_reviewer_that_another_broker_took_for_dead_is_ended() {
        PoolReviewer reviewer = spawned();
        reviewers.terminated(reviewer.id(), "broker_gone", null, null);
        pool.look();
        await().until(() ->
                ProcessHandle.of(pid(reviewer)).filter(ProcessHandle::isAlive).isEmpty());
    }

    private void sweepAfterAStart() {
        on.settableClock().advance(Duration.ofSeconds(1));
        claims.claim(ClaimRequest.of(new Resource(Kind.BROKER, OWN), OWN));
        reviews.ownership().turn(OWN);
    }

    private Answer call(@Nullable ReviewerPool on, String verb, Map<String, ?> arguments) {
        return new ReviewVerbs(reviews, on, Config.of(new Settings()).limits(), new Meters())
                .verbs().stream()
                        .filter(one -> one.name().equals(verb))
                        .findFirst()
                        .orElseThrow()
                        .call(JsonMapper.shared().valueToTree(arguments), Origin.UNKNOWN);
    }

    private PoolReviewer spawned() {
        return pool.spawn(null);
    }

    /** One that is in the store, but no process of ours. */
    private String foreign(String id, String broker) {
        if (reviewers.find(id).isEmpty()) {
            reviewers.enlist(_ ->
                    List.of(new PoolReviewer.New(id, "codex-r1", "ffffffff", broker, HERE, null, "/w", "hash-" + id)));
        }
        return id;
    }

    private String create() {
        return reviews.proposals()
                .create(Proposal.of("add a cache", "gsd-executor", "proposer", "7"))
                .id();
    }

    private Granted claim(String review, String reviewer) {
        return (Granted) reviews.claiming().claim(review, reviewer, null, null);
    }

    private void approve(String review, String reviewer) {
        reviews.verdicts().submit(review, Verdicts.Given.of("approved", null, new Fence(reviewer, 1L)));
    }

    private Status status(String review) {
        return reviews.catalogue().find(review).orElseThrow().status();
    }

    private PoolReviewer found(String id) {
        return reviewers.find(id).orElseThrow();
    }

    private String drainReason(String id) {
        return Objects.requireNonNull(found(id).draining()).reason();
    }

    private PoolReviewer.Ended end(String id) {
        return Objects.requireNonNull(found(id).ended());
    }

    private static long pid(PoolReviewer reviewer) {
        return Objects.requireNonNull(reviewer.process()).pid();
    }

    private void awaitTerminated(String id) {
        await().atMost(Duration.ofSeconds(30)).until(() -> found(id).state() == State.TERMINATED);
    }

    private List<String> told(String id) {
        return claims.tail().after(0, "reviewer:" + id, 100).stream()
                .map(Event::type)
                .toList();
    }

    private String lastReason(String review) {
        Event last = claims.tail().after(0, "review:" + review, 100).getLast();
        return JsonMapper.shared()
                .readTree(String.valueOf(last.detail()))
                .at("/metadata/reason")
                .asString();
    }
}
