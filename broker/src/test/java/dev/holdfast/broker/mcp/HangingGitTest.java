package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.broker.crash.BrokerProcess.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A git that hangs, or none at all, is the trouble of those who need it, and of nobody else. */
@Timeout(300)
class HangingGitTest {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final int HANGING = 6;

    @TempDir
    Path folder;

    @TempDir
    Path programs;

    @Test
    void while_git_hangs_other_calls_are_answered_and_the_proposals_are_taken_unchecked_in_the_end() throws Exception {
        Path git = Files.writeString(programs.resolve("git"), "#!/bin/sh\nexec sleep 600\n");
        Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (BrokerProcess broker = start(programs + ":" + System.getenv("PATH"));
                JavaClient mcp = JavaClient.to(broker.address().toString(), "/mcp/all");
                ExecutorService proposers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> hanging = new ArrayList<>();
            for (int i = 0; i < HANGING; i++) {
                hanging.add(proposers.submit(() -> broker.call("create_review", proposal(DIFF))));
            }
            await().until(() -> broker.children() > 0);

            assertThat(mcp.call("create_review", flat(proposal(null)))
                            .path("status")
                            .asString())
                    .isEqualTo("pending");
            JsonNode claim = mcp.call("claim_next_review", "reviewer_id", "ann", "wait_seconds", 5);
            mcp.call("get_proposal", "review_id", claim.path("review_id").asString());
            mcp.call("list_reviews");
            mcp.call("claim", "resource", "key:a", "holder", "ann");
            assertThat(hanging).noneMatch(Future::isDone);

            for (Future<Answer> proposal : hanging) {
                Answer answer = proposal.get();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text("not_checked")).containsAnyOf("git did not answer within 20 s", "kept git busy");
            }
            assertThat(broker.children()).isZero();
        }
    }

    @Test
    void without_git_a_diff_is_taken_unchecked_with_the_reason_and_the_rest_works() throws Exception {
        try (BrokerProcess broker = start(programs.toString())) {
            Answer unseen = broker.call("create_review", proposal(DIFF));
            assertThat(unseen.status()).isEqualTo(200);
            assertThat(unseen.text("not_checked")).contains("git was not found on the PATH");

            assertThat(broker.call("create_review", proposal(null)).text("status"))
                    .isEqualTo("pending");
            Map<String, Object> unchecked = proposal(DIFF);
            unchecked.put("skip_diff_validation", true);
            assertThat(broker.call("create_review", unchecked).text("status")).isEqualTo("pending");
        }
    }

    private BrokerProcess start(String path) throws Exception {
        return BrokerProcess.Start.onSqlite(folder).with("PATH", path).now();
    }

    private static Map<String, Object> proposal(@Nullable String diff) {
        Map<String, Object> proposal = new LinkedHashMap<>(
                Map.of("intent", "faster", "agent_type", "claude", "agent_role", "proposer", "phase", "1"));
        if (diff != null) {
            proposal.put("diff", diff);
        }
        return proposal;
    }

    private static Object[] flat(Map<String, Object> arguments) {
        return arguments.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
    }
}
