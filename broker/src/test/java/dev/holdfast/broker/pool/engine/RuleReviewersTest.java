package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Real processes of the engine {@code rules} at a real broker. */
@Timeout(180)
class RuleReviewersTest {
    @TempDir
    Path folder;

    private Broker broker;
    private BrokerClient caller;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))));
        caller = new BrokerClient(broker);
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        caller.close();
        broker.close();
    }

    @Test
    void reviews_one_after_the_other_and_says_where_what_is_wrong() throws Exception {
        String good = review("good.txt", "hello");
        String bad = review("bad.txt", "<<<<<<< HEAD");
        launch(Set.of());

        assertThat(judged(good).path("status").asString()).isEqualTo("approved");
        JsonNode refused = judged(bad);
        assertThat(refused.path("status").asString()).isEqualTo("changes_requested");
        assertThat(refused.path("verdict_reason").asString()).contains("bad.txt:1: conflict_markers: ");

        String later = review("later.txt", "hello again");
        assertThat(judged(later).path("status").asString()).as("it goes on").isEqualTo("approved");
    }

    @Test
    void a_diff_of_several_parts_is_read_to_its_end() throws Exception {
        String large =
                review("large.txt", "x\n".repeat(2_000) + ("y".repeat(999) + "\n").repeat(900) + "+ok\n>>>>>>> end");
        launch(Set.of("huge_files"));

        assertThat(judged(large).path("verdict_reason").asString()).contains("conflict_markers");
    }

    /** It would otherwise claim the review again at once, and be refused again, for as long as it lives. */
    @Test
    void what_it_may_not_approve_goes_back_to_its_proposer() throws Exception {
        String id = review("good.txt", "hello");
        long generation = caller.call("claim_review", "review_id", id, "reviewer_id", "vera")
                .body()
                .path("claim_generation")
                .asLong();
        caller.call(
                "submit_verdict",
                "review_id",
                id,
                "reviewer_id",
                "vera",
                "claim_generation",
                generation,
                "verdict",
                "comment",
                "reason",
                "look",
                "findings",
                List.of(Map.of("path", "good.txt", "line", 1, "severity", "must_fix", "message", "no")));
        caller.call("release_review", "review_id", id, "reviewer_id", "vera", "claim_generation", generation);
        launch(Set.of());

        JsonNode back = judged(id);
        assertThat(back.path("status").asString()).isEqualTo("changes_requested");
        assertThat(back.path("verdict_reason").asString()).contains("Approval blocked by finding f1");
    }

    @Test
    void rules_that_are_off_find_nothing() throws Exception {
        String bad = review("bad.txt", "<<<<<<< HEAD");
        launch(Set.of("conflict_markers"));

        assertThat(judged(bad).path("status").asString()).isEqualTo("approved");
    }

    @Test
    void a_rule_that_does_not_exist_cannot_be_off() {
        assertThatThrownBy(() -> new RuleReviewers(Set.of("nothing"))).hasMessageContaining("rules_off");
    }

    @Test
    void ends_by_itself_when_the_broker_is_no_broker() throws Exception {
        Process reviewer = launch(new RuleReviewers(Set.of()), URI.create(broker.url() + "/mcp/work"));

        assertThat(reviewer.waitFor()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("log"))).contains("does not offer submit_verdict");
    }

    private void launch(Set<String> off) throws Exception {
        launch(new RuleReviewers(off), URI.create(broker.url() + "/mcp"));
    }

    private Process launch(ReviewerEngine engine, URI mcp) throws Exception {
        LaunchSpec spec = new LaunchSpec("rules-by-hand", "rules-r1", null, mcp, "", folder, "none", "low", "");
        Process process = engine.launch(spec)
                .process(System.getenv())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String review(String path, String text) {
        String body = "+" + text.stripTrailing().replace("\n", "\n+");
        String diff =
                "diff --git a/%1$s b/%1$s\nnew file mode 100644\n--- /dev/null\n+++ b/%1$s\n@@ -0,0 +1,%2$d @@\n%3$s\n"
                        .formatted(path, body.lines().count(), body);
        return caller.call("create_review", Given.proposal("diff", diff)).text("review_id");
    }

    private JsonNode judged(String id) {
        return await().atMost(Duration.ofSeconds(90))
                .until(
                        () -> caller.call("get_review_status", "review_id", id).body(),
                        status -> Set.of("approved", "changes_requested")
                                .contains(status.path("status").asString("")));
    }
}
