package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.mcp.NodeClients.Run;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestRepository;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole reviews as two agents have them, over MCP, with the official Java and TypeScript clients. */
@Timeout(600)
abstract class ReviewLoopContract {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String COUNTER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";
    private static final String SECOND = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+c\n+d\n";

    @TempDir
    Path folder;

    @TempDir
    Path workspace;

    @SuppressWarnings("NullAway.Init") // each test starts its own
    Broker broker;

    abstract Settings store(Path folder);

    private void start(Settings more) {
        broker = Broker.start(config(more));
    }

    private SettableClock startOnSettableClock(Settings more) {
        Config config = config(more);
        String database = config.store().database();
        SettableClock clock = SettableClock.of(database);
        broker = Broker.start(config, clock.open(database, config.store().data()));
        return clock;
    }

    private Config config(Settings more) {
        TestRepository repository = TestRepository.in(workspace);
        repository.write("x", "a\n");
        repository.commitAll("x");
        return Config.of(more.put(Setting.PORT, 0L).put(Setting.WORKSPACE, workspace.toString()));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void the_java_client_takes_a_review_from_proposal_to_close() {
        start(store(folder));
        try (JavaClient proposer = JavaClient.to(broker.url(), "/mcp");
                JavaClient reviewer = JavaClient.to(broker.url(), "/mcp")) {
            CompletableFuture<JsonNode> found = CompletableFuture.supplyAsync(
                    () -> reviewer.call("list_reviews", "status", "pending", "wait", true),
                    Thread.ofVirtual()::start); // the common pool's threads are the HTTP client's, and few
            String id = propose(proposer, "diff", DIFF).path("review_id").asString();
            assertThat(found.join().at("/reviews/0/id").asString()).isEqualTo(id);

            JsonNode claim = reviewer.call("claim_review", "review_id", id, "reviewer_id", "ann");
            JsonNode proposal = reviewer.call("get_proposal", "review_id", id, "caller_id", "ann");
            assertThat(proposal.path("diff").asString()).isEqualTo(DIFF);
            say(reviewer, id, "reviewer", "why b?");
            say(proposer, id, "proposer", "why not?");
            JsonNode asked = verdict(
                    reviewer, id, "ann", claim, "changes_requested", "reason", "c is better", "counter_patch", COUNTER);
            assertThat(asked.path("has_counter_patch").asBoolean()).isTrue();

            JsonNode status = proposer.call("get_review_status", "review_id", id, "wait", true, "since", 0);
            assertThat(status.path("status").asString()).isEqualTo("changes_requested");
            assertThat(status.path("verdict_reason").asString()).isEqualTo("c is better");
            assertThat(proposer.call("get_proposal", "review_id", id)
                            .path("counter_patch")
                            .asString())
                    .isEqualTo(COUNTER);
            proposer.call("accept_counter_patch", "review_id", id);
            assertThat(proposer.call("get_proposal", "review_id", id)
                            .path("diff")
                            .asString())
                    .isEqualTo(COUNTER);
            assertThat(propose(proposer, "review_id", id, "diff", SECOND)
                            .path("round")
                            .asInt())
                    .isEqualTo(2);

            JsonNode again = reviewer.call("claim_next_review", "reviewer_id", "ann", "wait_seconds", 25);
            assertThat(again.path("review_id").asString()).isEqualTo(id);
            reviewer.call("get_proposal", "review_id", id, "caller_id", "ann");
            JsonNode approved = verdict(reviewer, id, "ann", again, "approved");
            assertThat(approved.path("status").asString()).isEqualTo("approved");
            JsonNode closed = proposer.call("close_review", "review_id", id, "closer_role", "proposer");
            assertThat(closed.path("status").asString()).isEqualTo("closed");
            assertThat(eventTypes(proposer.call("get_review_timeline", "review_id", id)))
                    .containsExactly(
                            "review_created",
                            "review_claimed",
                            "message_sent",
                            "message_sent",
                            "verdict_submitted",
                            "counter_patch_accepted",
                            "review_revised",
                            "review_claimed",
                            "verdict_submitted",
                            "review_closed");
        }
    }

    @Test
    void the_verdict_of_a_reviewer_who_was_too_slow_is_refused_and_that_of_the_next_accepted() {
        try (SettableClock clock = startOnSettableClock(store(folder).put(Setting.REVIEW_LEASE, 2L));
                JavaClient slow = JavaClient.to(broker.url(), "/mcp");
                JavaClient next = JavaClient.to(broker.url(), "/mcp")) {
            String id = propose(slow).path("review_id").asString();
            JsonNode first = slow.call("claim_review", "review_id", id, "reviewer_id", "a");
            clock.advance(Duration.ofSeconds(2));
            JsonNode second = await().until(
                            () -> next.call("claim_next_review", "reviewer_id", "b", "wait_seconds", 20),
                            answer -> answer.path("review_id").asString().equals(id));
            assertThat(second.path("claim_generation").asLong())
                    .isGreaterThan(first.path("claim_generation").asLong());

            JsonNode late = verdict(slow, id, "a", first, "approved");
            assertThat(late.path("code").asString()).isEqualTo("stale");
            assertThat(late.path("error").asString()).contains("Stale claim");
            JsonNode foreign = slow.call("submit_verdict", "review_id", id, "verdict", "approved", "reviewer_id", "a");
            assertThat(foreign.path("code").asString()).isEqualTo("wrong_holder");
            JsonNode bare = slow.call("submit_verdict", "review_id", id, "verdict", "approved");
            assertThat(bare.path("code").asString()).isEqualTo("fence_missing");
            assertThat(verdict(next, id, "b", second, "approved").path("status").asString())
                    .isEqualTo("approved");
        }
    }

    @Test
    void a_client_that_never_said_who_reads_is_told_what_to_do_and_works_as_before_with_managed_fences() {
        start(store(folder));
        try (JavaClient client = JavaClient.to(broker.url(), "/mcp")) {
            JsonNode refused = approvedAsThePredecessorsClientsDo(client);
            assertThat(refused.path("code").asString()).isEqualTo("unread");
            assertThat(refused.path("error").asString()).contains("get_proposal (caller_id: \"codex\")");
        }
        broker.close();
        start(store(folder).put(Setting.REQUIRE_FENCE, "managed"));
        try (JavaClient client = JavaClient.to(broker.url(), "/mcp")) {
            assertThat(approvedAsThePredecessorsClientsDo(client).path("status").asString())
                    .isEqualTo("approved");
        }
    }

    private static JsonNode approvedAsThePredecessorsClientsDo(JavaClient client) {
        String id = propose(client, "diff", DIFF, "skip_diff_validation", true)
                .path("review_id")
                .asString();
        client.call("claim_review", "review_id", id, "reviewer_id", "codex");
        assertThat(client.call("get_proposal", "review_id", id).path("diff").asString())
                .isEqualTo(DIFF);
        return client.call(
                "submit_verdict", "review_id", id, "verdict", "approved", "reason", "fine", "reviewer_id", "codex");
    }

    @Test
    void the_typescript_client_takes_a_review_from_proposal_to_close() throws Exception {
        start(store(folder));
        run("reviews.mjs");
    }

    @Test
    void the_typescript_client_sees_the_slow_reviewer_refused() throws Exception {
        start(store(folder).put(Setting.REVIEW_LEASE, 2L)); // a real one: the script waits until it has lost it
        run("race.mjs");
    }

    private void run(String script) throws Exception {
        Run run = NodeClients.installed().run(script, broker.url() + "/mcp");
        assertThat(run.output()).endsWith("ok\n");
        assertThat(run.exitCode()).isZero();
    }

    private static JsonNode propose(JavaClient client, Object... more) {
        Object[] all = new Object[more.length + 8];
        Object[] usual = {"intent", "faster", "agent_type", "gsd-executor", "agent_role", "proposer", "phase", "1"};
        System.arraycopy(usual, 0, all, 0, usual.length);
        System.arraycopy(more, 0, all, usual.length, more.length);
        return client.call("create_review", all);
    }

    private static void say(JavaClient client, String id, String role, String body) {
        assertThat(client.call("add_message", "review_id", id, "sender_role", role, "body", body)
                        .path("round")
                        .asInt())
                .isEqualTo(1);
    }

    private static JsonNode verdict(
            JavaClient client, String id, String reviewer, JsonNode claim, String verdict, Object... more) {
        Object[] all = new Object[more.length + 8];
        Object[] usual = {
            "review_id",
            id,
            "verdict",
            verdict,
            "reviewer_id",
            reviewer,
            "claim_generation",
            claim.path("claim_generation").asLong()
        };
        System.arraycopy(usual, 0, all, 0, usual.length);
        System.arraycopy(more, 0, all, usual.length, more.length);
        return client.call("submit_verdict", all);
    }

    private static List<String> eventTypes(JsonNode timeline) {
        return StreamSupport.stream(timeline.path("events").spliterator(), false)
                .map(event -> event.path("event_type").asString())
                .toList();
    }
}
