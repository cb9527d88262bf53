package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.testing.McpRequest;
import dev.holdfast.testing.TestRepository;
import dev.holdfast.testing.TestSqlite;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Diffs as large as the limit go through every door, git's check included; larger ones are refused with the limit. */
@Timeout(300)
class LargeDiffTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    @TempDir
    Path workspace;

    @SuppressWarnings("NullAway.Init") // each test starts its own
    Broker broker;

    private void start(Settings settings) {
        TestRepository.in(workspace);
        broker = Broker.start(
                Config.of(settings.put(Setting.DATA, TestSqlite.in(folder).toString())
                        .put(Setting.PORT, 0L)
                        .put(Setting.WORKSPACE, workspace.toString())));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void a_diff_of_5_mb_is_proposed_claimed_and_read_whole_and_in_parts_over_mcp() {
        start(new Settings());
        String diff = diff(5 * MEGABYTE, "    return \"tab\\t\"; // line\t");
        try (JavaClient client = JavaClient.to(broker.url(), "/mcp")) {
            String id = client.call("create_review", arguments(diff))
                    .path("review_id")
                    .asString();
            JsonNode claim = client.call("claim_next_review", "reviewer_id", "ann");
            assertThat(claim.at("/affected_files/0/path").asString()).isEqualTo("large.txt");
            assertThat(client.call("get_proposal", "review_id", id).path("diff").asString())
                    .isEqualTo(diff);
            StringBuilder parts = new StringBuilder();
            int offset = 0;
            do {
                JsonNode part = client.call("get_proposal", "review_id", id, "offset", offset, "limit", MEGABYTE);
                parts.append(part.path("diff").asString());
                offset = part.path("next_offset").asInt();
            } while (offset > 0);
            assertThat(parts.toString()).isEqualTo(diff);
        }
    }

    @Test
    void a_diff_as_large_as_the_limit_fits_in_a_request_however_its_characters_are_escaped() {
        start(new Settings());
        try (RawClient client = new RawClient(broker)) {
            String quotes = diff(ReviewLimits.DEFAULT.diffBytes(), "\"\t\\".repeat(30));
            assertThat(client.call("create_review", arguments(quotes))
                            .join()
                            .path("status")
                            .asString())
                    .isEqualTo("pending");

            String cyrillic = diff(ReviewLimits.DEFAULT.diffBytes(), "щ".repeat(40));
            Reply reply = client.post(
                    "/mcp/all",
                    McpRequest.toolCall("create_review", given(cyrillic)).json().replace("щ", "\\u0449"));
            assertThat(reply.body().at("/result/structuredContent/status").asString())
                    .isEqualTo("pending");
        }
    }

    @Test
    void a_diff_over_the_limit_is_refused_with_the_limit_over_rest_and_mcp() {
        start(new Settings().put(Setting.DIFF_LIMIT, (long) MEGABYTE));
        String diff = diff(MEGABYTE + 300, "x");
        try (BrokerClient rest = new BrokerClient(broker);
                JavaClient mcp = JavaClient.to(broker.url(), "/mcp")) {
            Reply refused = rest.call("create_review", arguments(diff));
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.text("code")).isEqualTo("too_large");
            assertThat(refused.text("error")).contains("the limit is 1048576");
            JsonNode refusal = mcp.call("create_review", arguments(diff));
            assertThat(refusal.path("code").asString()).isEqualTo("too_large");
            assertThat(refusal.path("error").asString()).contains("the limit is 1048576");
            assertThat(mcp.call("list_reviews").path("reviews")).isEmpty();
        }
    }

    @Test
    void a_request_that_is_much_larger_is_refused_with_the_limit_of_requests() {
        start(new Settings().put(Setting.DIFF_LIMIT, (long) MEGABYTE));
        String diff = diff(6 * MEGABYTE, "x");
        try (RawClient client = new RawClient(broker)) {
            Reply mcp = client.post(
                    "/mcp", McpRequest.toolCall("create_review", given(diff)).json());
            assertThat(mcp.status()).isEqualTo(413);
            assertThat(mcp.body().at("/error/message").asString()).contains("5242880 bytes (limits.body_bytes)");
            Reply rest = client.caller().call("create_review", arguments(diff));
            assertThat(rest.status()).isEqualTo(413);
            assertThat(rest.text("error")).contains("5242880 bytes (limits.body_bytes)");
        }
    }

    /** A new file of about so many bytes of these lines, never more. */
    private static String diff(int bytes, String line) {
        String added = "+" + line + "\n";
        int lines = (bytes - 200) / added.getBytes(StandardCharsets.UTF_8).length;
        return "diff --git a/large.txt b/large.txt\nnew file mode 100644\n--- /dev/null\n+++ b/large.txt\n@@ -0,0 +1,"
                + lines + " @@\n" + added.repeat(lines);
    }

    private static Map<String, Object> given(String diff) {
        return Map.of("intent", "large", "agent_type", "claude", "agent_role", "proposer", "phase", "1", "diff", diff);
    }

    private static Object[] arguments(String diff) {
        return given(diff).entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
    }
}
