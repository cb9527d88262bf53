package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Claims with the official Java client. */
class JavaClientTest extends OnJavaClient {
    JavaClientTest() {
        super("/mcp/all");
    }

    @Test
    void it_is_greeted_with_the_loop_and_the_tools() {
        assertThat(client.greeting().protocolVersion()).isEqualTo("2025-11-25");
        assertThat(client.greeting().serverInfo().name()).isEqualTo("holdfast");
        assertThat(client.greeting().instructions()).contains("claim_generation");
        client.sdk().ping();
        assertThat(client.sdk().listTools().tools())
                .extracting(Tool::name)
                .contains(
                        "create_review",
                        "claim",
                        "claim_next",
                        "heartbeat",
                        "release",
                        "who",
                        "get_events",
                        "start_session",
                        "end_session",
                        "list_agents");
    }

    @Test
    void every_tool_can_be_called() {
        String holder = call("start_session", "session_id", "s1", "kind", "claude")
                .path("holder")
                .asString();
        assertThat(call("claim_next", "kind", "work", "holder", holder)
                        .get("resource")
                        .isNull())
                .isTrue();
        JsonNode claim = call("claim", "resource", "key:a", "holder", holder);
        long generation = claim.path("claim_generation").asLong();
        assertThat(call("heartbeat", "holder", holder).path("extended").size()
                        + call("heartbeat", "holder", holder)
                                .path("unconfirmed")
                                .size())
                .isPositive();
        assertThat(call("heartbeat", "holder", holder, "resource", "key:a", "claim_generation", generation)
                        .path("claim_generation")
                        .asLong())
                .isEqualTo(generation);
        assertThat(call("who").path("holders")).hasSize(1);
        assertThat(call("list_agents").path("agents")).hasSize(1);
        assertThat(call("release", "resource", "key:a", "holder", holder, "claim_generation", generation)
                        .path("released")
                        .asBoolean())
                .isTrue();
        assertThat(call("get_events", "resource", "key:a").path("events")).hasSize(2);
        assertThat(call("end_session", "session_id", "s1").path("released")).isEmpty();
    }

    @Test
    void a_refusal_is_an_ordinary_result_with_a_code() {
        call("claim", "resource", "key:a", "holder", "first");

        assertRefused("held", "claim", "resource", "key:a", "holder", "second");
        assertRefused("lost", "heartbeat", "resource", "key:a", "holder", "second", "claim_generation", 1);
        assertRefused("fence_missing", "release", "resource", "key:a", "holder", "first");
        assertRefused("not_found", "end_session", "session_id", "nobody");
    }

    @Test
    void a_broken_call_is_an_error_that_says_what_to_do() {
        assertBroken("unknown field ttl", "claim", "resource", "key:a", "holder", "me", "ttl", 5);
        assertBroken("missing field holder: your agent id", "claim", "resource", "key:a");
        assertBroken(
                "ttl_seconds must be a whole number", "claim", "resource", "key:a", "holder", "me", "ttl_seconds", "5");
        assertBroken("must be written kind:id", "claim", "resource", "a", "holder", "me");
        assertBroken("kind must be one of review, work", "claim_next", "kind", "key", "holder", "me");
        assertThat(call("who").path("message").asString()).isEqualTo("nobody holds anything");
    }

    @Test
    void an_unknown_tool_is_named() {
        assertThatThrownBy(() -> client.result("clam"))
                .isInstanceOf(McpError.class)
                .hasMessageContaining("'clam'");
    }

    @Test
    void a_broker_that_was_restarted_is_not_noticed() {
        call("claim", "resource", "key:a", "holder", "me");
        Config sameAddress = Config.of(new Settings()
                .put(Setting.DATA, TestSqlite.in(folder).toString())
                .put(Setting.PORT, (long) URI.create(broker.url()).getPort()));
        broker.close();
        broker = Broker.start(sameAddress);

        assertThat(call("who").at("/holders/0/holder").asString()).isEqualTo("me");
    }

    private JsonNode call(String tool, Object... arguments) {
        return client.call(tool, arguments);
    }

    private void assertRefused(String code, String tool, Object... arguments) {
        JsonNode refusal = call(tool, arguments);
        assertThat(refusal.path("code").asString()).isEqualTo(code);
        assertThat(refusal.path("error").asString()).isNotBlank();
    }

    private void assertBroken(String text, String tool, Object... arguments) {
        CallToolResult result = client.result(tool, arguments);
        assertThat(result.isError()).isTrue();
        assertThat(JavaClient.text(result)).contains(text);
    }
}
