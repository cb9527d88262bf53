package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Given;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The official Java client, which holds every result against the tool's output schema. */
record JavaClient(McpSyncClient sdk, InitializeResult greeting) implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** Connects to an MCP address, such as {@code /mcp}, of a broker. */
    static JavaClient to(String url, String path) {
        McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(url)
                        .endpoint(path)
                        .build())
                .requestTimeout(Duration.ofMinutes(2))
                .enableCallToolSchemaCaching(true)
                .build();
        InitializeResult greeting = client.initialize();
        client.listTools();
        return new JavaClient(client, greeting);
    }

    /** Calls a tool with arguments given as name, value, name, value, …; its text must say what its structure says. */
    JsonNode call(String tool, Object... arguments) {
        CallToolResult result = result(tool, arguments);
        assertThat(result.isError()).as("%s", result).isFalse();
        JsonNode structured = MAPPER.valueToTree(result.structuredContent());
        assertThat(MAPPER.readTree(text(result))).isEqualTo(MAPPER.readTree(structured.toString()));
        return structured;
    }

    CallToolResult result(String tool, Object... arguments) {
        return sdk.callTool(
                CallToolRequest.builder(tool).arguments(Given.map(arguments)).build());
    }

    static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    @Override
    public void close() {
        sdk.close();
    }
}
