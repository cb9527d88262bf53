package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.AnotherProcess;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.auth.Permissions;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.testing.McpRequest;
import dev.holdfast.token.Role;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pool as its users see it, with reviewers that are programs of their own, on every store. */
abstract class PoolContract extends OnAPool {
    /** The timer looks every 30 s. */
    private static final Duration SOONER_THAN_THE_TIMER = Duration.ofSeconds(25);

    @Test
    void the_first_review_wakes_a_reviewer_that_reviews_everything_until_it_is_idle() {
        size = size(3, 3, Duration.ofMillis(100), Duration.ofSeconds(3));
        start(ScriptedReviewer.command("approve", folder));
        assertThat(reviewers()).isEmpty();
        String first = create("shop");
        await().until(() -> status(first).equals("approved"));
        JsonNode reviewer = reviewers().getFirst();
        assertThat(reviewer.path("reviews_completed").asInt()).isEqualTo(1);
        assertThat(reviewer.path("approval_rate_pct").asDouble()).isEqualTo(100);
        assertThat(reviewer.path("workspace_path").asString()).isEqualTo(workspace.toString());
        String id = reviewer.path("id").asString();
        await().until(() -> reviewers("terminated").size() == 1);
        assertThat(events(id)).containsExactly("reviewer_spawned", "reviewer_drain_start", "reviewer_terminated");
        assertThat(reviewers().getFirst().path("end_reason").asString()).isEqualTo("idle");
    }

    @Test
    void two_hundred_reviews_at_once_are_all_reviewed_by_never_more_than_three_processes() {
        size = size(3, 3, Duration.ofMillis(100), Duration.ofSeconds(3));
        start(ScriptedReviewer.command("approve", folder));
        for (int i = 0; i < 200; i++) {
            create("shop");
        }
        AtomicInteger max = new AtomicInteger();
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    max.accumulateAndGet(processes(), Math::max);
                    return stream(caller.call("list_reviews", "status", "approved")
                                            .body()
                                            .path("reviews"))
                                    .count()
                            == 200;
                });
        assertThat(max.get()).isBetween(1, 3);
        assertThat(reviewers()).hasSize(3);
        assertThat(reviewers().stream()
                        .mapToInt(one -> one.path("reviews_completed").asInt())
                        .sum())
                .isEqualTo(200);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> reviewers("terminated").size() == 3 && processes() == 0);
    }

    @Test
    void a_reviewer_that_is_killed_loses_its_claim_at_once_and_a_copy_of_it_is_nobody() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String review = create("shop");
        await().until(() -> status(review).equals("claimed"));
        JsonNode reviewer = reviewers("active").getFirst();
        Path copy = folder.resolve("copy-of-" + reviewer.path("id").asString());
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        List<String> stolen = Files.readAllLines(copy);
        assertThat(stolen.get(1)).isEqualTo(review);

        ProcessHandle.of(reviewer.path("pid").asLong()).orElseThrow().destroyForcibly();
        await().atMost(SOONER_THAN_THE_TIMER)
                .until(() ->
                        caller.call("get_review_status", "review_id", review).generation() >= 2);

        Reply late = as(
                stolen.get(0),
                "submit_verdict",
                java.util.Map.of(
                        "review_id", review, "verdict", "approved", "claim_generation", Long.parseLong(stolen.get(2))));
        assertThat(late.status()).isEqualTo(401);
        Reply forged = caller.call(
                "submit_verdict",
                Given.verdict(
                        review,
                        "approved",
                        "reviewer_id",
                        reviewer.path("id").asString(),
                        "claim_generation",
                        Long.parseLong(stolen.get(2))));
        assertThat(forged.text("code")).isEqualTo("unauthorized");
        await().until(() -> status(review).equals("claimed"));
        assertThat(caller.call("get_review_status", "review_id", review).text("claimed_by"))
                .isNotEqualTo(reviewer.path("id").asString());
    }

    Reply as(String token, String verb, java.util.Map<String, Object> arguments) {
        return caller.send(caller.post(verb, JsonMapper.shared().writeValueAsString(arguments))
                        .header("Authorization", "Bearer " + token))
                .join();
    }

    @Test
    void a_reviewer_can_only_act_as_itself_and_only_review() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String review = create("shop");
        await().until(() -> status(review).equals("claimed"));
        String id = reviewers("active").getFirst().path("id").asString();
        Path copy = folder.resolve("copy-of-" + id);
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        String token = Files.readAllLines(copy).getFirst();

        assertThat(as(token, "kill_reviewer", java.util.Map.of("reviewer_id", id))
                        .text("code"))
                .isEqualTo("forbidden");
        assertThat(as(token, "claim", java.util.Map.of("resource", "key:x", "holder", id))
                        .text("code"))
                .isEqualTo("forbidden");
        assertThat(as(token, "claim_review", java.util.Map.of("review_id", review, "reviewer_id", "somebody"))
                        .text("error"))
                .isEqualTo("this is the token of " + id + ", which can only act as itself");
        assertThat(as(
                                token,
                                "add_message",
                                java.util.Map.of("review_id", review, "sender_role", "proposer", "body", "all is well"))
                        .text("code"))
                .isEqualTo("forbidden");
        assertThat(as(token, "heartbeat", java.util.Map.of()).status()).isEqualTo(200);
        assertThat(as(token, "get_proposal", java.util.Map.of("review_id", review))
                        .status())
                .isEqualTo(200);
        assertThat(as("nobody", "list_reviews", java.util.Map.of()).status()).isEqualTo(401);
        assertThat(caller.call("heartbeat", "holder", id).status()).isEqualTo(401);
        assertThat(caller.call("get_proposal", "review_id", review, "caller_id", id)
                        .status())
                .isEqualTo(401);
        assertThat(caller.call(
                                "submit_verdict",
                                Given.verdict(
                                        review,
                                        "approved",
                                        "claim_generation",
                                        caller.call("get_review_status", "review_id", review)
                                                .generation()))
                        .text("code"))
                .isEqualTo("wrong_holder");
        assertThat(as(token, "submit_verdict", java.util.Map.of("review_id", review, "verdict", "approved"))
                        .status())
                .isEqualTo(200);
    }

    /** What a reviewer that claims a review and keeps it was started with. */
    private String tokenOfAReviewer() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String review = create("shop");
        await().until(() -> status(review).equals("claimed"));
        Path copy = folder.resolve(
                "copy-of-" + reviewers("active").getFirst().path("id").asString());
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        return Files.readAllLines(copy).getFirst();
    }

    @Test
    void a_reviewer_may_call_nothing_that_the_table_of_roles_keeps_from_reviewers() throws Exception {
        String token = tokenOfAReviewer();
        for (Verb verb : broker.verbs()) {
            if (!Permissions.of(verb.name()).contains(Role.REVIEWER)) {
                assertThat(as(token, verb.name(), java.util.Map.of()).text("code"))
                        .as(verb.name())
                        .isEqualTo("forbidden");
            }
        }
    }

    @Test
    void the_token_of_a_reviewer_is_not_valid_on_another_machine() throws Exception {
        String token = tokenOfAReviewer();
        for (String added : List.of("X-Forwarded-For", "Via")) {
            Reply forwarded = caller.send(caller.post("list_reviews", "{}")
                            .header("Authorization", "Bearer " + token)
                            .header(added, "203.0.113.7"))
                    .join();
            assertThat(forwarded.status()).as(added).isEqualTo(401);
        }
        assertThat(as(token, "list_reviews", java.util.Map.of()).status()).isEqualTo(200);
    }

    @Test
    void a_reviewer_that_ends_while_it_waits_is_told_nothing_any_more() throws Exception {
        String token = tokenOfAReviewer();
        JsonNode reviewer = reviewers("active").getFirst();
        String review = caller.call("list_reviews").body().at("/reviews/0/id").asString();
        JsonNode now = caller.call("get_review_status", "review_id", review).body();
        CompletableFuture<Reply> waiting = caller.send(caller.post(
                        "get_review_status",
                        JsonMapper.shared()
                                .writeValueAsString(java.util.Map.of(
                                        "review_id", review, "wait", true, "since", now.path("version"))))
                .header("Authorization", "Bearer " + token));
        caller.call("kill_reviewer", "reviewer_id", reviewer.path("id").asString(), "force", true);
        assertThat(waiting.join().text("code")).isEqualTo("unauthorized");
    }

    @Test
    void the_token_of_a_reviewer_makes_a_proposer_that_has_found_it_nobody_else() throws Exception {
        size = size(1, 3, Duration.ofMillis(1), Duration.ofMinutes(5));
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String first = create("shop");
        await().until(() -> status(first).equals("claimed"));
        Path copy = folder.resolve(
                "copy-of-" + reviewers("active").getFirst().path("id").asString());
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        String token = Files.readAllLines(copy).getFirst();
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            agent.call("start_session", Given.session("s-1", agent.pid()));
            String own = agent.call("create_review", Given.proposal("project", "shop"))
                    .text("review_id");
            String claim = JsonMapper.shared().writeValueAsString(java.util.Map.of("review_id", own));
            java.util.Map<String, String> shown = java.util.Map.of("Authorization", "Bearer " + token);
            for (AnotherProcess one : List.of(agent, agent.child())) {
                assertThat(one.post("/api/v1/claim_review", shown, claim).code())
                        .isEqualTo("forbidden");
            }
            assertThat(status(own)).isEqualTo("pending");
            assertThat(as(token, "claim_review", java.util.Map.of("review_id", own))
                            .text("status"))
                    .isEqualTo("claimed");
        }
    }

    @Test
    void a_reviewer_reads_as_whom_its_token_says_and_nobody_reads_in_its_place() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String review = create("shop", "diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "skip_diff_validation", true);
        await().until(() -> status(review).equals("claimed"));
        String id = reviewers("active").getFirst().path("id").asString();
        Path copy = folder.resolve("copy-of-" + id);
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        String token = Files.readAllLines(copy).getFirst();
        java.util.Map<String, Object> approval = java.util.Map.of("review_id", review, "verdict", "approved");

        assertThat(as(token, "submit_verdict", approval).text("code")).isEqualTo("unread");
        String round = "review://" + review + "/rounds/1";
        assertThat(resource(round + "?reviewer_id=" + id, "")
                        .at("/error/message")
                        .asString())
                .contains(id + " is a reviewer of the broker's pool; only itself can use that name");
        assertThat(resource(round + "?reviewer_id=somebody", token)
                        .at("/error/message")
                        .asString())
                .contains("can only act as itself");
        assertThat(resource(round, "").at("/result/contents/0/text").asString()).contains("+b");
        assertThat(as(token, "submit_verdict", approval).text("code")).isEqualTo("unread");
        assertThat(resource(round, token).at("/result/contents/0/text").asString())
                .contains("+b");
        assertThat(caller.call("get_review_status", "review_id", review)
                        .body()
                        .at("/read_by/0/reviewer")
                        .asString())
                .isEqualTo(id);
        assertThat(as(token, "submit_verdict", approval).text("status")).isEqualTo("approved");
    }

    private JsonNode resource(String address, String token) {
        var request = caller.request("/mcp")
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(McpRequest.read(address).json()));
        return caller.send(token.isEmpty() ? request : request.header("Authorization", "Bearer " + token))
                .join()
                .body();
    }

    @Test
    void reviewers_that_end_at_once_are_not_started_again_and_again() {
        size = size(3, 3, Duration.ofSeconds(60), Duration.ofMinutes(5));
        start(List.of("sh", "-c", "echo cannot find my key >&2; exit 7"));
        create("shop");
        await().until(() -> reviewers("terminated").size() == 1);
        JsonNode crashed = reviewers().getFirst();
        assertThat(crashed.path("exit_code").asInt()).isEqualTo(7);
        assertThat(crashed.path("last_output").asString()).isEqualTo("cannot find my key");
        create("shop");
        await().until(() ->
                caller.call("list_reviewers").body().path("held_back").isString());
        assertThat(caller.call("list_reviewers").body().path("crashes_in_a_row").asInt())
                .isEqualTo(1);
        assertThat(reviewers()).hasSize(1);
        JsonNode records = caller.call(
                        "get_reviewer_log", "reviewer_id", crashed.path("id").asString())
                .body()
                .path("records");
        assertThat(stream(records).map(one -> one.path("event").asString()))
                .containsExactly(
                        "reviewer_spawned", "reviewer_output", "reviewer_process_exited", "reviewer_terminated");
    }

    @Test
    void one_that_hangs_at_the_start_is_ended_and_replaced() {
        size = new PoolConfig.Size(
                1,
                3,
                Duration.ofMillis(10),
                Duration.ofMillis(500),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Duration.ofSeconds(1));
        start(SLEEPER);
        create("shop");
        await().until(() -> reviewers("terminated").size() >= 2);
        assertThat(reviewers("terminated"))
                .allMatch(one -> one.path("end_reason").asString().equals("hung") && !lives(one));
    }

    @Test
    void a_program_that_is_not_there_fails_the_start_and_is_told() {
        start(List.of("no-such-program"));
        Reply reply = caller.call("spawn_reviewer");
        assertThat(reply.text("error"))
                .isEqualTo("Failed to spawn reviewer: no-such-program was not found on the PATH");
        assertThat(reviewers().getFirst().path("end_reason").asString()).isEqualTo("spawn_failed");
        assertThat(caller.get("/metrics").raw().body())
                .contains("holdfast_reviewer_spawns_total{outcome=\"failed\"} 1.0")
                .contains("holdfast_reviewers{state=\"active\"} 0.0");
    }

    @Test
    void stopping_the_broker_ends_every_reviewer_however_deaf() {
        size = size(3, 1, Duration.ofMillis(1), Duration.ofMinutes(5));
        start(List.of("sh", "-c", "trap '' TERM; sleep 1000 & while :; do sleep 1; done"));
        create("shop");
        create("shop");
        create("shop");
        await().until(() -> reviewers("active").size() == 3);
        List<JsonNode> all = reviewers();
        broker.close();
        assertThat(all).noneMatch(OnAPool::lives);
    }

    @Test
    void what_reviewers_hold_when_the_broker_stops_is_pending_again() {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String review = create("shop");
        await().until(() -> status(review).equals("claimed"));
        caller.close();
        broker.close();

        broker = Broker.start(Config.of(store().put(Setting.PORT, 0L)));
        caller = new BrokerClient(broker);
        assertThat(status(review)).isEqualTo("pending");
        assertThat(stream(caller.call("get_audit_log", "review_id", review)
                                .body()
                                .path("events"))
                        .map(event -> event.path("event_type").asString()))
                .contains("review_reclaimed");
    }

    @Test
    void old_logs_make_room_and_the_log_of_one_that_runs_stays() {
        limits = new PoolConfig.Limits(null, null, 1);
        start(List.of("sh", "-c", "echo hello; exec sleep 100000"));
        String first = spawned();
        String second = spawned();
        await().until(() -> said(first).contains("hello") && said(second).contains("hello"));
        caller.call("kill_reviewer", "reviewer_id", first, "force", true);
        await().until(() -> said(first).isEmpty());
        assertThat(said(second)).contains("hello");
        assertThat(caller.call("get_reviewer_log", "reviewer_id", first)
                        .body()
                        .path("ended")
                        .asBoolean())
                .isTrue();
    }

    private String spawned() {
        BrokerClient.Reply reply = caller.call("spawn_reviewer");
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply.text("reviewer_id");
    }

    private List<String> said(String reviewer) {
        return stream(caller.call("get_reviewer_log", "reviewer_id", reviewer)
                        .body()
                        .path("records"))
                .map(record -> record.path("message").asString(""))
                .toList();
    }
}
