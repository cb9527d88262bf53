package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Requests of protocol 2026-07-28, which say everything themselves, at the addresses that older clients use too. */
class ModernRequestsTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String PREFIX = "io.modelcontextprotocol/";

    @TempDir
    Path folder;

    Broker broker;
    HttpClient http;

    private record Got(int status, JsonNode body) {}

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        http.close();
        broker.close();
    }

    @Test
    void discovery_tells_versions_capabilities_and_instructions_and_how_long_they_hold() throws Exception {
        JsonNode result =
                ask("server/discover", MAPPER.createObjectNode()).body().path("result");
        assertThat(result.path("supportedVersions").valueStream().map(JsonNode::stringValue))
                .containsExactly("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26");
        assertThat(result.path("capabilities").propertyNames()).contains("tools", "prompts", "resources");
        assertThat(result.path("instructions").stringValue()).contains("submit_verdict");
        assertThat(result.path("resultType").stringValue()).isEqualTo("complete");
        assertThat(result.path("ttlMs").longValue()).isPositive();
        assertThat(result.path("cacheScope").stringValue()).isEqualTo("public");
        assertThat(result.path("_meta").path(PREFIX + "serverInfo").path("name").stringValue())
                .isEqualTo("holdfast");
    }

    @Test
    void a_header_that_is_missing_or_contradicts_the_body_is_refused() throws Exception {
        ObjectNode call = MAPPER.createObjectNode().put("name", "list_reviews");
        for (String header : new String[] {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"}) {
            for (String value : new String[] {"", "other", "=?base64?!?="}) {
                Map<String, String> headers = headers("tools/call", "list_reviews");
                headers.put(header, value);
                assertThat(code(ask("tools/call", call.deepCopy(), headers), 400))
                        .as(header + ": " + value)
                        .isEqualTo(-32020);
            }
            Map<String, String> headers = headers("tools/call", "list_reviews");
            headers.remove(header);
            assertThat(code(ask("tools/call", call.deepCopy(), headers), 400))
                    .as("without " + header)
                    .isEqualTo(-32020);
        }
        String encoded = "=?base64?"
                + Base64.getEncoder().encodeToString("list_reviews".getBytes(StandardCharsets.UTF_8)) + "?=";
        assertThat(ask("tools/call", call.deepCopy(), headers("tools/call", encoded))
                        .body()
                        .has("result"))
                .isTrue();
    }

    @Test
    void a_header_that_is_given_twice_is_refused_whatever_it_says() throws Exception {
        ObjectNode call = MAPPER.createObjectNode().put("name", "list_reviews");
        for (String header : new String[] {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"}) {
            Map<String, String> headers = headers("tools/call", "list_reviews");
            for (String second : new String[] {"other", headers.get(header)}) {
                ObjectNode message = message("tools/call", meta(call.deepCopy(), "2026-07-28"));
                assertThat(code(send(message, headers, header, second), 400))
                        .as(header + ", then " + second)
                        .isEqualTo(-32020);
            }
        }
        Got older = send(
                message("ping", MAPPER.createObjectNode()),
                Map.of("MCP-Protocol-Version", "2025-11-25"),
                "MCP-Protocol-Version",
                "2026-07-28");
        assertThat(code(older, 400)).isEqualTo(-32600);
    }

    @Test
    void a_name_in_base64_has_one_spelling_and_is_utf_8() throws Exception {
        String canonical = "bGlzdF9yZXZpZXc="; // list_review
        assertThat(named("list_review", canonical).path("code").intValue()).isNotEqualTo(-32020);
        for (String other : new String[] {"bGlzdF9yZXZpZXc", "bGlzdF9yZXZpZXd=", "bGlzdF9yZXZpZXd"}) {
            assertThat(named("list_review", other).path("code").intValue())
                    .as(other)
                    .isEqualTo(-32020);
        }
        // bytes that are no UTF-8 would all read as the same sign
        for (byte[] bad : new byte[][] {{'a', (byte) 0xff}, {'a', (byte) 0xc3}, {'a', (byte) 0xc0, (byte) 0xaf}}) {
            String read = new String(bad, StandardCharsets.UTF_8);
            assertThat(named(read, Base64.getEncoder().encodeToString(bad))
                            .path("code")
                            .intValue())
                    .as(read)
                    .isEqualTo(-32020);
        }
    }

    private JsonNode named(String name, String encoded) throws Exception {
        ObjectNode call = MAPPER.createObjectNode().put("name", name);
        return ask("tools/call", call, headers("tools/call", "=?base64?" + encoded + "?="))
                .body()
                .path("error");
    }

    @Test
    void other_versions_and_missing_metadata_are_refused_with_what_there_is() throws Exception {
        Map<String, String> headers = headers("tools/list", null);
        headers.put("MCP-Protocol-Version", "2030-01-01");
        Got other = send(message("tools/list", meta(MAPPER.createObjectNode(), "2030-01-01")), headers);
        assertThat(code(other, 400)).isEqualTo(-32022);
        assertThat(other.body().at("/error/data/supported/0").stringValue()).isEqualTo("2026-07-28");
        assertThat(other.body().at("/error/data/requested").stringValue()).isEqualTo("2030-01-01");

        assertThat(code(send(message("tools/list", MAPPER.createObjectNode()), headers("tools/list", null)), 400))
                .isEqualTo(-32602);
        ObjectNode incapable = meta(MAPPER.createObjectNode(), "2026-07-28");
        ((ObjectNode) incapable.path("_meta")).remove(PREFIX + "clientCapabilities");
        assertThat(code(send(message("tools/list", incapable), headers("tools/list", null)), 400))
                .isEqualTo(-32602);
    }

    @Test
    void what_the_protocol_no_longer_has_is_not_found_and_older_clients_still_have_it() throws Exception {
        for (String gone : new String[] {"ping", "initialize", "logging/setLevel", "resources/subscribe", "nonsense"}) {
            assertThat(code(ask(gone, MAPPER.createObjectNode()), 404)).as(gone).isEqualTo(-32601);
        }
        assertThat(code(ask("resources/read", MAPPER.createObjectNode().put("uri", "review://none")), 200))
                .isEqualTo(-32602);
        Map<String, String> older = Map.of("MCP-Protocol-Version", "2025-11-25");
        assertThat(send(message("ping", MAPPER.createObjectNode()), older)
                        .body()
                        .has("result"))
                .isTrue();
        Got missing = send(message("resources/read", MAPPER.createObjectNode().put("uri", "review://none")), older);
        assertThat(code(missing, 200)).isEqualTo(-32002);
        assertThat(code(send(message("server/discover", MAPPER.createObjectNode()), older), 200))
                .isEqualTo(-32601);
    }

    private static int code(Got got, int status) {
        assertThat(got.status()).as(got.body().toString()).isEqualTo(status);
        assertThat(got.body().path("id").longValue()).isEqualTo(7);
        return got.body().at("/error/code").intValue();
    }

    private Got ask(String method, ObjectNode params) throws Exception {
        String name =
                params.path(method.equals("resources/read") ? "uri" : "name").asString(null);
        return ask(method, params, headers(method, name));
    }

    private Got ask(String method, ObjectNode params, Map<String, String> headers) throws Exception {
        return send(message(method, meta(params, "2026-07-28")), headers);
    }

    private static Map<String, String> headers(String method, @Nullable String name) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", method);
        if (name != null) {
            headers.put("Mcp-Name", name);
        }
        return headers;
    }

    private static ObjectNode meta(ObjectNode params, String version) {
        ObjectNode meta = params.putObject("_meta");
        meta.put(PREFIX + "protocolVersion", version);
        meta.putObject(PREFIX + "clientCapabilities");
        return params;
    }

    private static ObjectNode message(String method, ObjectNode params) {
        ObjectNode message = MAPPER.createObjectNode();
        message.put("jsonrpc", "2.0").put("id", 7).put("method", method);
        message.set("params", params);
        return message;
    }

    /** @param more headers beside those, as name, value, name, value, ... */
    private Got send(ObjectNode message, Map<String, String> headers, String... more) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(broker.url() + "/mcp"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(message.toString()));
        headers.forEach(request::header);
        for (int i = 0; i < more.length; i += 2) {
            request.header(more[i], more[i + 1]);
        }
        var response = http.send(request.build(), BodyHandlers.ofString());
        return new Got(response.statusCode(), MAPPER.readTree(response.body()));
    }
}
