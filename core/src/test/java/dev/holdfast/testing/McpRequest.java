package dev.holdfast.testing;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A request as MCP clients send it. */
public record McpRequest(String method, Map<String, ?> params) {
    public static McpRequest toolCall(String tool, Map<String, ?> arguments) {
        return new McpRequest("tools/call", Map.of("name", tool, "arguments", arguments));
    }

    public static McpRequest read(String resource) {
        return new McpRequest("resources/read", Map.of("uri", resource));
    }

    public Map<String, Object> message() {
        return Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", params);
    }

    public String json() {
        return JsonMapper.shared().writeValueAsString(message());
    }
}
