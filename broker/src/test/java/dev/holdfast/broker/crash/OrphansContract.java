package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess.Answer;
import dev.holdfast.broker.pool.ScriptedReviewer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of the reviewers of a broker that dies without a word, on either store. */
abstract class OrphansContract {
    /** So many that three reviewers are wanted at once, however many of them are taken already when that is decided. */
    private static final int REVIEWS = 9;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    abstract BrokerProcess.Start start();

    @Test
    void after_a_restart_no_reviewer_of_a_killed_broker_is_left_and_all_they_had_is_free() throws Exception {
        Path config = Files.writeString(
                folder.resolve("pool.json"),
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "reviews",
                                Map.of("workspace", folder.toString()),
                                "reviewer_pool",
                                ScriptedReviewer.sleepers(folder))));
        List<Long> orphans;
        try (BrokerProcess broker =
                start().with("HOLDFAST_CONFIG", config.toString()).now()) {
            for (int i = 0; i < REVIEWS; i++) {
                broker.call(
                        "create_review",
                        Map.of("intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1"));
            }
            await().atMost(Duration.ofSeconds(90)).until(() -> reviews(broker, "claimed") == 3);
            orphans = StreamSupport.stream(
                            broker.call("list_reviewers", Map.of())
                                    .body()
                                    .path("reviewers")
                                    .spliterator(),
                            false)
                    .map(reviewer -> reviewer.path("pid").asLong())
                    .toList();
            broker.kill();
        }
        assertThat(orphans).hasSize(3).allMatch(OrphansContract::lives);
        try (BrokerProcess broker = start().now()) {
            assertThat(reviews(broker, "pending")).isEqualTo(REVIEWS);
            await().until(() -> orphans.stream().noneMatch(OrphansContract::lives));
            assertThat(broker.call("list_reviewers", Map.of()).text("error"))
                    .startsWith("Reviewer pool not configured");
            broker.stop();
        }
    }

    private static long reviews(BrokerProcess broker, String status) throws IOException, InterruptedException {
        Answer answer = broker.call("list_reviews", Map.of("status", status));
        return answer.body().path("reviews").size();
    }

    private static boolean lives(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
