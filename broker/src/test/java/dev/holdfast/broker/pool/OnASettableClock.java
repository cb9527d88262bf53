package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.git.ProjectRepositories;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Bounds;
import dev.holdfast.broker.verb.Calls;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.pool.PoolVerbs;
import dev.holdfast.broker.verb.reviews.ReviewVerbs;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A pool for the cases that its requirements list, on every store. The clock stands still until a case moves it; the
 * reviewers are real processes that sleep, and what they would call is called for them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnASettableClock {
    static final String OWN = "broker-1";
    static final PoolReviewer.Host HERE = ThisProcess.on(Machine.here());

    final TestStore on;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    ProjectFolders folders;

    @SuppressWarnings("NullAway.Init")
    Claims claims;

    @SuppressWarnings("NullAway.Init")
    PoolReviewers reviewers;

    @SuppressWarnings("NullAway.Init")
    Reviews reviews;

    @SuppressWarnings("NullAway.Init")
    ReviewerPool pool;

    OnASettableClock(Engine engine) {
        on = TestStore.settable(engine);
    }

    @BeforeEach
    void begin() {
        on.empty();
        claims = Claims.over(on.store());
        folders = new ProjectFolders(new ProjectRepositories(folder, Map.of()), folder);
        reviewers = new PoolReviewers(on.store(), claims.events(), null, folders::real, null);
        reviews = new Reviews(
                on.store(),
                claims,
                RequireFence.ALWAYS,
                reviewers,
                DiffCheck.NONE,
                ReviewLimits.DEFAULT,
                () -> UUID.randomUUID().toString());
        pool = pool();
    }

    ReviewerPool pool() {
        PoolConfig config = new PoolConfig(
                new PoolConfig.Engine("command", null, OnAPool.SLEEPER, Set.of(), Set.of()),
                new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()),
                new PoolConfig.Workspace(folder, null, "Ubuntu", PoolConfig.Scope.FOLDER),
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
                        _ -> List.of(),
                        claims.tail(),
                        () -> OWN,
                        HERE,
                        folder.resolve("logs"),
                        Clock.systemUTC(),
                        new SecureRandom(),
                        new Meters()),
                new Launcher(config, folders, System.getenv()),
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

    void sweepAfterAStart() {
        on.settableClock().advance(Duration.ofSeconds(1));
        claims.claim(ClaimRequest.of(new Resource(Kind.BROKER, OWN), OWN));
        reviews.ownership().turn(OWN);
    }

    Answer call(@Nullable ReviewerPool on, String verb, Map<String, ?> arguments) {
        Shapes shapes = new Shapes(new Bounds(Config.of(new Settings()).limits(), claims.leases()));
        Verb called = Stream.concat(
                        new ReviewVerbs(shapes, reviews, new Meters()).verbs().stream(),
                        new PoolVerbs(shapes, on).verbs().stream())
                .filter(one -> one.name().equals(verb))
                .findFirst()
                .orElseThrow();
        try {
            return called.call(JsonMapper.shared().valueToTree(arguments), Calls.ofNobody());
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    PoolReviewer spawned() {
        return pool.spawn(null);
    }

    /** One that is in the store, but no process of ours. */
    String foreign(String id, String broker) {
        if (reviewers.find(id).isEmpty()) {
            reviewers.enlist(_ -> List.of(
                    new PoolReviewer.New(id, "codex-r1", "ffffffff", broker, HERE, null, null, "/w", "hash-" + id)));
        }
        return id;
    }

    String create() {
        return reviews.proposals()
                .create(Proposal.of("add a cache", "gsd-executor", "proposer", "7"))
                .id();
    }

    Granted claim(String review, String reviewer) {
        return (Granted) reviews.claiming().claim(review, reviewer, null, null);
    }

    /** As a person ends one that may finish what it has. */
    void drain(String reviewer) {
        assertThat(call(pool, "kill_reviewer", Map.of("reviewer_id", reviewer)).refusal())
                .isNull();
    }

    void approve(String review, String reviewer) {
        reviews.verdicts()
                .submit(review, Verdicts.Submission.of("approved", null, new Fence(reviewer, 1L)), Caller.UNKNOWN);
    }

    void say(String review, String verdict, String reason, String reviewer) {
        reviews.verdicts()
                .submit(review, Verdicts.Submission.of(verdict, reason, new Fence(reviewer, 1L)), Caller.UNKNOWN);
    }

    void revise(String review) {
        reviews.proposals()
                .next(review, Proposal.of("add a better cache", "gsd-executor", "proposer", "7"), Caller.UNKNOWN);
    }

    ReviewStatus status(String review) {
        return reviews.catalogue().find(review).orElseThrow().status();
    }

    PoolReviewer found(String id) {
        return reviewers.find(id).orElseThrow();
    }

    String drainReason(String id) {
        return Objects.requireNonNull(found(id).draining()).reason();
    }

    PoolReviewer.Ended end(String id) {
        return Objects.requireNonNull(found(id).ended());
    }

    static long pid(PoolReviewer reviewer) {
        return Objects.requireNonNull(reviewer.process()).pid();
    }

    void awaitTerminated(String id) {
        await().until(() -> found(id).state() == State.TERMINATED);
    }

    List<String> audited(String id) {
        return claims.tail().after(0, "reviewer:" + id, 100).stream()
                .map(Event::type)
                .toList();
    }

    /** As the audit log has it. */
    String lastReason(String review) {
        AuditEvent last =
                reviews.history().events(review, Page.Request.ALL).entries().getLast();
        return metadata(last).path("reason").asString();
    }

    /** What the audit log says last of a reviewer. */
    JsonNode lastOf(String reviewer, String type) {
        return reviews.history().events(null, Page.Request.ALL).entries().stream()
                .filter(event -> event.type().equals(type))
                .map(OnASettableClock::metadata)
                .filter(audited -> audited.path("reviewer_id").asString().equals(reviewer))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private static JsonNode metadata(AuditEvent event) {
        return JsonMapper.shared().valueToTree(event.metadata());
    }
}
