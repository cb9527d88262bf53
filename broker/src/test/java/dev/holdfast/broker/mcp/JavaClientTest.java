package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The official Java client, which holds every result against the tool's output schema. */
class JavaClientTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    @TempDir
    Path folder;

    Broker broker;
    McpSyncClient client;
    InitializeResult greeting;

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(folder));
        client = McpClient.sync(HttpClientStreamableHttpTransport.builder(broker.url())
                        .endpoint("/mcp/all")
                        .build())
                .requestTimeout(Duration.ofSeconds(60))
                .enableCallToolSchemaCaching(true)
                .build();
        greeting = client.initialize();
        client.listTools();
    }

    @AfterEach
    void stop() {
        client.close();
        broker.close();
    }

    @Test
    void it_is_greeted_with_the_loop_and_the_tools() {
        assertThat(greeting.protocolVersion()).isEqualTo("2025-11-25");
        assertThat(greeting.serverInfo().name()).isEqualTo("holdfast");
        assertThat(greeting.instructions()).contains("claim_generation");
        client.ping();
        assertThat(client.listTools().tools())
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
        assertThatThrownBy(() -> result("clam")).isInstanceOf(McpError.class).hasMessageContaining("'clam'");
    }

    @Test
    void a_broker_that_was_restarted_is_not_noticed() {
        call("claim", "resource", "key:a", "holder", "me");
        Config sameAddress =
                Config.of(new Settings().put(Setting.DATA, folder.toString()).put(Setting.PORT, (long)
                        URI.create(broker.url()).getPort()));
        broker.close();
        broker = Broker.start(sameAddress);

        assertThat(call("who").at("/holders/0/holder").asString()).isEqualTo("me");
    }

    private JsonNode call(String tool, Object... arguments) {
        CallToolResult result = result(tool, arguments);
        assertThat(result.isError()).as("%s", result).isFalse();
        JsonNode structured = MAPPER.valueToTree(result.structuredContent());
        assertThat(MAPPER.readTree(text(result))).isEqualTo(MAPPER.readTree(structured.toString()));
        return structured;
    }

    private void assertRefused(String code, String tool, Object... arguments) {
        JsonNode refusal = call(tool, arguments);
        assertThat(refusal.path("code").asString()).isEqualTo(code);
        assertThat(refusal.path("error").asString()).isNotBlank();
    }

    private void assertBroken(String text, String tool, Object... arguments) {
        CallToolResult result = result(tool, arguments);
        assertThat(result.isError()).isTrue();
        assertThat(text(result)).contains(text);
    }

    private CallToolResult result(String tool, Object... arguments) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            given.put((String) arguments[i], arguments[i + 1]);
        }
        return client.callTool(CallToolRequest.builder(tool).arguments(given).build());
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }
}
