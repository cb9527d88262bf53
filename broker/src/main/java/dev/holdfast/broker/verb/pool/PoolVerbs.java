package dev.holdfast.broker.verb.pool;

import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.pool.EndRequest;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolSituation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The pool's reviewers: {@code spawn_reviewer kill_reviewer list_reviewers get_reviewer_log}.
 *
 * @param pool null: the broker runs no reviewers
 */
public record PoolVerbs(Shapes shapes, @Nullable ReviewerPool pool) {
    static final int RECORDS = 1_000;
    private static final int USUAL_RECORDS = 100;
    static final String TARGET = "a reviewer of list_reviewers";
    static final String PID = "its process";

    @Definition(name = "spawn_reviewer", effect = VerbEffect.TAKE, toolsets = Toolset.REVIEWS, description = """
                    Start a reviewer in the broker's pool. Example: {"project": "shop"}""")
    record SpawnReviewer(
            @Field(value = "the project; spelling, case and path do not matter", longest = 1_000) @Nullable
            String project) {}

    record SpawnedReviewer(
            String reviewerId,
            String displayName,

            @Field(value = PID, orNull = true) @Nullable Long pid,

            String status,
            @Field(orNull = true) @Nullable String projectScope,
            @Field(orNull = true) @Nullable String folderScope,
            String workspacePath) {}

    @Definition(name = "kill_reviewer", effect = VerbEffect.END, toolsets = Toolset.REVIEWS, description = """
                    Stop a pool reviewer once it has finished its reviews; with force, at once. \
                    Example: {"reviewer_id": "codex-r1-0a1b2c3d"}""")
    record KillReviewer(
            @Field(value = TARGET, filled = true) String reviewerId,

            @Field("stop it at once; its reviews go to others")
            boolean force,

            @Field(value = "who stops it", actor = true) @Nullable
            String by,

            @Field(value = "why, for the audit log", longest = Text.LONGEST_NOTE) @Nullable
            String reason) {}

    record KilledReviewer(
            String reviewerId,
            String status,
            @Field("what it still has") long remainingClaims,
            @Field("the same") long remainingOpenReviews,
            @Field("it has ended") boolean terminated) {}

    @Definition(name = "list_reviewers", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    List the pool's reviewers and their statistics. Example: {}""")
    record ListReviewers() {}

    record Pool(
            String sessionToken,
            @Field("how many are active") long poolSize,
            @Field("the reviewers") List<PoolReviewerJson> reviewers,

            @Field("reviews waiting for a reviewer") long pendingReviews,

            @Field(orNull = true) @Nullable String heldBack,

            @Field("started in the last 24 hours") long spawnsInADay,

            @Field("taken in the last hour") long reviewsInAnHour,

            @Field("consecutive exits without a review") long crashesInARow) {}

    @Definition(name = "get_reviewer_log", effect = VerbEffect.READ, forPeople = true, description = """
                    Read a pool reviewer's log, oldest first; with \
                    wait_seconds it waits for more. Example: {"reviewer_id": "codex-r1-0a1b2c3d", "after": 120}""")
    record GetReviewerLog(
            @Field(value = TARGET, filled = true) String reviewerId,

            @Field("the n of the last record you have") @Nullable
            Long after,

            @Field(value = "how many records at most", min = 1, max = RECORDS) @Nullable
            Integer limit,

            @Field(value = "how long to wait for one", upTo = Limit.WAIT)
            Duration waitSeconds) {}

    record ReviewerLog(
            @Field(value = "the records", listOf = LogRecord.class)
            List<JsonNode> records,

            @Field("the reviewer has ended: no more will come")
            boolean ended) {}

    /** Describes a record that is stored as JSON and returned unchanged. */
    record LogRecord(
            @Field("its number") long n,
            @Field("when") Instant ts,
            String event,
            String reviewerId,
            String sessionToken,
            @Nullable String stream,
            @Nullable String message,

            @Field("the line continues in the next record") @Nullable
            Boolean continued,

            @Field(PID) @Nullable Long pid,
            @Nullable String exitCode,
            @Nullable String reason) {}

    /** The verbs that MCP offers. */
    public List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, SpawnReviewer.class, SpawnedReviewer.class, this::spawn),
                Verb.of(shapes, KillReviewer.class, KilledReviewer.class, this::kill),
                Verb.of(shapes, ListReviewers.class, Pool.class, this::list));
    }

    public Verb log() {
        return Verb.of(shapes, GetReviewerLog.class, ReviewerLog.class, this::log);
    }

    private ReviewerPool running() {
        if (pool == null) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE, "Reviewer pool not configured. Add reviewer_pool section to config.");
        }
        return pool;
    }

    private SpawnedReviewer spawn(SpawnReviewer given) {
        PoolReviewer made = running().spawn(given.project());
        return new SpawnedReviewer(
                made.id(),
                made.displayName(),
                PoolReviewerJson.pid(made),
                made.state().toString(),
                made.project(),
                made.folder(),
                made.workspace());
    }

    private KilledReviewer kill(KillReviewer given, Call call) {
        String by = given.by() == null ? call.caller().name() : Text.holder(given.by());
        String why = given.reason() == null || given.reason().isBlank() ? null : given.reason();
        ReviewerPool.Killed killed = running().kill(given.reviewerId(), given.force(), new EndRequest(by, why));
        return new KilledReviewer(
                killed.reviewer().id(),
                killed.reviewer().state().toString(),
                killed.remainingClaims(),
                killed.remainingClaims(),
                killed.reviewer().ended() != null);
    }

    private Pool list(ListReviewers given) {
        ReviewerPool reviewers = running();
        List<PoolReviewer> all = reviewers.list();
        ReviewerPool.Status status = reviewers.status();
        PoolSituation now = status.situation();
        return new Pool(
                reviewers.session(),
                all.stream()
                        .filter(one -> one.state() == PoolReviewer.State.ACTIVE)
                        .count(),
                all.stream()
                        .map(one -> PoolReviewerJson.of(one, now.holding(one.id())))
                        .toList(),
                now.pending().stream().mapToLong(PoolSituation.Pending::count).sum(),
                status.heldBack(),
                now.spawnsInADay(),
                now.reviewsInAnHour(),
                now.crashes().inARow());
    }

    private ReviewerLog log(GetReviewerLog given) {
        ReviewerPool.LogPage said = running()
                .log(
                        given.reviewerId(),
                        Objects.requireNonNullElse(given.after(), 0L),
                        Objects.requireNonNullElse(given.limit(), USUAL_RECORDS),
                        given.waitSeconds());
        return new ReviewerLog(said.records(), said.ended());
    }
}
