package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolSituation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reviewers that the broker runs itself: {@code spawn_reviewer kill_reviewer list_reviewers get_reviewer_log}. */
final class PoolVerbs {
    private static final int RECORDS = 1_000;

    private static final Field TARGET = Field.text("reviewer_id", Text.LONGEST_HOLDER, "a reviewer of list_reviewers")
            .filled()
            .must();

    private static final List<Field> REVIEWER = List.of(
            text("id").must(),
            text("display_name").must(),
            text("status").must(),
            Field.integer("pid", 0L, null, "its process").orNull(),
            Field.time("spawned_at", "when it was started").must(),
            Field.time("last_active_at", "when it last did something").must(),
            Field.integer("holding", 0L, null, "reviews it has now").must(),
            Field.integer("reviews_completed", 0L, null, "completed reviews").must(),
            Field.number("total_review_seconds", "time from claim to verdict, in all")
                    .must(),
            Field.integer("approvals", 0L, null, "how many it approved").must(),
            Field.integer("rejections", 0L, null, "how many it did not approve").must(),
            Field.number("average_review_seconds", "from claim to verdict").orNull(),
            Field.number("approval_rate_pct", "percentage approved").orNull(),
            text("project_scope").orNull(),
            text("folder_scope").orNull(),
            text("workspace_path").must(),
            text("broker").must(),
            text("drain_reason"),
            Field.time("terminated_at", "when it ended"),
            text("end_reason"),
            Field.integer("exit_code", null, null, "of its process"),
            text("last_output"));

    private final @Nullable ReviewerPool pool;
    private final Limits limits;

    PoolVerbs(@Nullable ReviewerPool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    List<Verb> verbs() {
        return List.of(spawn(), kill(), list());
    }

    private Verb.Handler with(BiFunction<ReviewerPool, Arguments, Map<String, @Nullable Object>> handler) {
        return given -> pool == null
                ? Answer.refused(
                        RefusalCode.BAD_STATE, "Reviewer pool not configured. Add reviewer_pool section to config.")
                : Answer.of(handler.apply(pool, given));
    }

    private Verb spawn() {
        return new Verb(
                "spawn_reviewer",
                "Start a reviewer of the broker's own pool. Example: {\"project\": \"shop\"}",
                List.of(ReviewFields.PROJECT),
                List.of(
                        text("reviewer_id").must(),
                        text("display_name").must(),
                        Field.integer("pid", 0L, null, "its process").orNull(),
                        text("status").must(),
                        text("project_scope").orNull(),
                        text("folder_scope").orNull(),
                        text("workspace_path").must()),
                Verb.Nature.TAKE,
                with((reviewers, given) -> {
                    PoolReviewer made = reviewers.spawn(given.textOrNull("project"));
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("reviewer_id", made.id());
                    json.put("display_name", made.displayName());
                    json.put(
                            "pid",
                            made.process() == null ? null : made.process().pid());
                    json.put("status", made.state().toString());
                    json.put("project_scope", made.project());
                    json.put("folder_scope", made.folder());
                    json.put("workspace_path", made.workspace());
                    return json;
                }));
    }

    private Verb kill() {
        return new Verb(
                "kill_reviewer",
                """
                Stop a reviewer of the broker's own pool when it has finished its reviews; with force, at once. \
                Example: {"reviewer_id": "codex-r1-0a1b2c3d"}""",
                List.of(TARGET, Field.flag("force", "stop it at once; its reviews go to others")),
                List.of(
                        text("reviewer_id").must(),
                        text("status").must(),
                        Field.integer("remaining_claims", 0L, null, "what it still has")
                                .must(),
                        Field.integer("remaining_open_reviews", 0L, null, "the same")
                                .must(),
                        Field.flag("terminated", "it has ended").must()),
                Verb.Nature.END,
                with((reviewers, given) -> {
                    ReviewerPool.Killed killed = reviewers.kill(given.text("reviewer_id"), given.flag("force"));
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("reviewer_id", killed.reviewer().id());
                    json.put("status", killed.reviewer().state().toString());
                    json.put("remaining_claims", killed.remainingClaims());
                    json.put("remaining_open_reviews", killed.remainingClaims());
                    json.put("terminated", killed.reviewer().ended() != null);
                    return json;
                }));
    }

    private Verb list() {
        return new Verb(
                "list_reviewers",
                "List the reviewers of the broker's own pool and their figures. Example: {}",
                List.of(),
                List.of(
                        text("session_token").must(),
                        Field.integer("pool_size", 0L, null, "how many are active")
                                .must(),
                        Field.objects("reviewers", "the reviewers", REVIEWER).must(),
                        Field.integer("pending_reviews", 0L, null, "reviews waiting for a reviewer")
                                .must(),
                        text("held_back").orNull(),
                        Field.integer("spawns_in_a_day", 0L, null, "started in the last 24 hours")
                                .must(),
                        Field.integer("reviews_in_an_hour", 0L, null, "taken in the last hour")
                                .must(),
                        Field.integer("crashes_in_a_row", 0L, null, "consecutive exits without a review")
                                .must()),
                Verb.Nature.READ,
                with((reviewers, _) -> {
                    List<PoolReviewer> all = reviewers.list();
                    ReviewerPool.Standing standing = reviewers.standing();
                    PoolSituation now = standing.situation();
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("session_token", reviewers.session());
                    json.put(
                            "pool_size",
                            all.stream()
                                    .filter(one -> one.state() == PoolReviewer.State.ACTIVE)
                                    .count());
                    json.put(
                            "reviewers",
                            all.stream()
                                    .map(one -> told(one, now.holding(one.id())))
                                    .toList());
                    json.put(
                            "pending_reviews",
                            now.pending().stream()
                                    .mapToLong(PoolSituation.Pending::count)
                                    .sum());
                    json.put("held_back", standing.heldBack());
                    json.put("spawns_in_a_day", now.spawnsInADay());
                    json.put("reviews_in_an_hour", now.reviewsInAnHour());
                    json.put("crashes_in_a_row", now.crashes().inARow());
                    return json;
                }));
    }

    private static Map<String, @Nullable Object> told(PoolReviewer reviewer, long holding) {
        PoolReviewer.Work work = reviewer.work();
        double seconds = work.time().toMillis() / 1000.0;
        boolean none = work.completed() == 0;
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", reviewer.id());
        json.put("display_name", reviewer.displayName());
        json.put("status", reviewer.state().toString());
        json.put("pid", reviewer.process() == null ? null : reviewer.process().pid());
        json.put("spawned_at", ClaimJson.time(reviewer.spawnedAt()));
        json.put("last_active_at", ClaimJson.time(reviewer.lastActiveAt()));
        json.put("holding", holding);
        json.put("reviews_completed", work.completed());
        json.put("total_review_seconds", seconds);
        json.put("approvals", work.approvals());
        json.put("rejections", work.rejections());
        json.put("average_review_seconds", none ? null : rounded(seconds / work.completed()));
        json.put("approval_rate_pct", none ? null : rounded(100.0 * work.approvals() / work.completed()));
        json.put("project_scope", reviewer.project());
        json.put("folder_scope", reviewer.folder());
        json.put("workspace_path", reviewer.workspace());
        json.put("broker", reviewer.broker());
        if (reviewer.draining() != null) {
            json.put("drain_reason", reviewer.draining().reason());
        }
        PoolReviewer.Ended ended = reviewer.ended();
        if (ended != null) {
            json.put("terminated_at", ClaimJson.time(ended.at()));
            json.put("end_reason", ended.reason());
            ClaimVerbs.putIfGiven(json, "exit_code", ended.exitCode());
            ClaimVerbs.putIfGiven(json, "last_output", ended.lastOutput());
        }
        return json;
    }

    private static double rounded(double number) {
        return Math.round(number * 10) / 10.0;
    }

    Verb log() {
        return new Verb(
                "get_reviewer_log",
                """
                Read the log of a reviewer of the broker's own pool, oldest first; with \
                wait_seconds it waits for more. Example: {"reviewer_id": "codex-r1-0a1b2c3d", "after": 120}""",
                List.of(
                        TARGET,
                        Field.integer("after", 0L, null, "the n of the last record you have"),
                        Field.integer("limit", 1L, (long) RECORDS, "how many records at most"),
                        Field.integer(
                                "wait_seconds", 0L, limits.longestWait().toSeconds(), "how long to wait for one")),
                List.of(
                        Field.objects(
                                        "records",
                                        "the records",
                                        List.of(
                                                Field.integer("n", 0L, null, "its number")
                                                        .must(),
                                                Field.time("ts", "when").must(),
                                                text("event").must(),
                                                text("reviewer_id").must(),
                                                text("session_token").must(),
                                                text("stream"),
                                                text("message"),
                                                Field.flag("continued", "the line continues in the next record"),
                                                Field.integer("pid", 0L, null, "its process"),
                                                text("exit_code"),
                                                text("reason")))
                                .must(),
                        Field.flag("ended", "the reviewer has ended: no more will come")
                                .must()),
                Verb.Nature.READ,
                with((reviewers, given) -> {
                    ReviewerPool.Said said = reviewers.log(
                            given.text("reviewer_id"),
                            given.number("after", 0),
                            (int) given.number("limit", 100),
                            Duration.ofSeconds(given.number("wait_seconds", 0)));
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("records", said.records());
                    json.put("ended", said.ended());
                    return json;
                }));
    }
}
