package dev.holdfast.rules;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls the broker's tools over MCP (streamable HTTP). Done by hand, because it is one POST per call: the SDK's client
 * would take longer to load than a review takes.
 */
final class BrokerTools {
    private static final String PROTOCOL = "2025-06-18";
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final URI address;
    private final String token;
    private int calls;

    BrokerTools(URI address, String token) {
        this.address = address;
        this.token = token;
    }

    /** Identifies us, and finds out whether verdicts accept findings. */
    boolean connect() throws IOException, InterruptedException {
        request(
                "initialize",
                Map.of(
                        "protocolVersion",
                        PROTOCOL,
                        "capabilities",
                        Map.of(),
                        "clientInfo",
                        Map.of("name", "holdfast-rules", "version", "1")));
        send(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
        for (JsonNode tool : request("tools/list", Map.of()).path("tools")) {
            if (tool.path("name").asString("").equals("submit_verdict")) {
                return tool.at("/inputSchema/properties").has("findings");
            }
        }
        throw new IOException(
                address + " does not offer submit_verdict; is it the broker's address for reviews, …/mcp?");
    }

    /**
     * Calls a tool; a refusal is an answer with {@code error} and {@code code}.
     *
     * @throws IOException when there is no answer, or the call itself was invalid
     */
    JsonNode call(String tool, Map<String, ?> arguments) throws IOException, InterruptedException {
        JsonNode result = request("tools/call", Map.of("name", tool, "arguments", arguments));
        if (result.path("isError").asBoolean(false)) {
            throw new IOException(tool + ": " + result.at("/content/0/text").asString("failed"));
        }
        return result.path("structuredContent");
    }

    private JsonNode request(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        HttpResponse<String> response =
                send(Map.of("jsonrpc", "2.0", "id", ++calls, "method", method, "params", parameters));
        JsonNode answer;
        try {
            answer = MAPPER.readTree(response.body());
        } catch (JacksonException e) {
            throw new IOException(method + ": HTTP " + response.statusCode() + " and no JSON", e);
        }
        if (!answer.has("result")) {
            throw new IOException(method + ": HTTP " + response.statusCode() + ": "
                    + answer.at("/error/message").asString(answer.path("error").asString("no result")));
        }
        return answer.get("result");
    }

    private HttpResponse<String> send(Map<String, ?> message) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", PROTOCOL)
                .POST(HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(message)));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
