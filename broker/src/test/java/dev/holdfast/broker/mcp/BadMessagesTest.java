package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a message is answered as JSON-RPC, in words for people, with the request's id. */
class BadMessagesTest extends OnMcp {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";

    @Override
    protected Settings settings() {
        return new Settings().put(Setting.BODY_LIMIT, 20_000L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"jsonrpc":"2.0",                                                 | 400 | -32700 | null | the body is not valid JSON in line 1
            {"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}                   | 400 | -32700 | null | the body is not valid JSON in line 1
            hello                                                             | 400 | -32700 | null | the body is not valid JSON in line 1
            [{"jsonrpc":"2.0","id":7,"method":"ping"}]                        | 400 | -32600 | null | batches are not supported
            []                                                                | 400 | -32600 | null | batches are not supported
            "ping"                                                            | 400 | -32600 | null | a message is a JSON object
            {}                                                                | 400 | -32600 | null | "jsonrpc": "2.0"
            {"id":7,"method":"ping"}                                          | 400 | -32600 | 7    | "jsonrpc": "2.0"
            {"jsonrpc":"1.0","id":"x","method":"ping"}                        | 400 | -32600 | "x"  | "jsonrpc": "2.0"
            {"jsonrpc":"2.0","id":7}                                          | 400 | -32600 | 7    | a message has a method
            {"jsonrpc":"2.0","id":7,"method":5}                               | 400 | -32600 | 7    | method must be text
            {"jsonrpc":"2.0","id":null,"method":"ping"}                       | 400 | -32600 | null | id must be text or a whole number
            {"jsonrpc":"2.0","id":1.5,"method":"ping"}                        | 400 | -32600 | null | id must be text or a whole number
            {"jsonrpc":"2.0","id":7,"method":"ping","params":[]}              | 400 | -32600 | 7    | params must be a JSON object
            {"jsonrpc":"2.0","id":7,"method":"nope"}                          | 200 | -32601 | 7    | nope
            {"jsonrpc":"2.0","id":7,"method":"resources/list"}                | 200 | -32601 | 7    | resources/list
            {"jsonrpc":"2.0","id":7,"method":"tools/call"}                    | 200 | -32602 | 7    | there is no tool '' at /mcp/work; the tools are add_dependency,
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"clam"}}                      | 200 | -32602 | 7 | there is no tool 'clam' at /mcp/work; the tools are add_dependency,
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_events"}}                | 200 | -32602 | 7 | there is no tool 'get_events' at /mcp/work
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}                           | 200 | -32602 | 7 | there is no tool
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"who","arguments":[]}}        | 200 | -32602 | 7 | params.arguments must be a JSON object
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"who","_meta":3}}             | 400 | -32600 | 7 | params._meta must be a JSON object
            {"jsonrpc":"2.0","id":7,"method":"initialize"}                                               | 200 | -32602 | 7 | initialize needs params.protocolVersion
            {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":7}} | 200 | -32602 | 7 | params.clientInfo must be a JSON object
            """)
    void what_is_wrong_is_named(String body, int status, int code, String id, String text) {
        expect(client.post("/mcp/work", body), status, code, id, text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1999-01-01", "2024-11-05", "latest"})
    void another_protocol_version_is_refused_with_those_there_are(String version) {
        Reply reply = client.send(
                client.to("/mcp").header("MCP-Protocol-Version", version).POST(BodyPublishers.ofString(PING)));

        expect(reply, 400, -32600, "7", "2025-03-26, 2025-06-18, 2025-11-25");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void known_protocol_versions_are_taken_and_negotiated(String version) {
        Reply ping = client.send(
                client.to("/mcp").header("MCP-Protocol-Version", version).POST(BodyPublishers.ofString(PING)));

        assertThat(ping.status()).isEqualTo(200);
        assertThat(negotiated(version)).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2099-01-01", "x"})
    void to_another_version_initialize_answers_the_newest_there_is(String version) {
        assertThat(negotiated(version)).isEqualTo("2025-11-25");
    }

    private String negotiated(String version) {
        Reply reply = client.send(
                client.to("/mcp").header("MCP-Protocol-Version", version).POST(BodyPublishers.ofString("""
                        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},\
                        "clientInfo":{"name":"test","version":"1"}}}""".formatted(
                                version))));
        return reply.body().at("/result/protocolVersion").asString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                     | 200
            application/json, text/event-stream  | 200
            text/event-stream, APPLICATION/JSON;q=0.5 | 200
            */*                                  | 200
            application/*                        | 200
            text/event-stream                    | 406
            text/html, application/json;q=0      | 406
            ;                                    | 406
            """)
    void answers_are_json_and_must_be_accepted(String accept, int status) {
        Reply reply = client.send(client.caller()
                .request("/mcp")
                .header("Content-Type", "application/json")
                .header("Accept", accept)
                .POST(BodyPublishers.ofString(PING)));

        assertThat(reply.status()).isEqualTo(status);
        if (status != 200) {
            expect(reply, status, -32600, "7", "application/json");
        }
    }

    @Test
    void a_client_that_does_not_say_what_it_accepts_is_answered() {
        Reply reply = client.send(client.caller()
                .request("/mcp")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(PING)));

        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void another_content_type_is_refused() {
        Reply reply = client.send(client.caller()
                .request("/mcp")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(PING)));

        expect(reply, 415, -32600, "null", "application/json");
    }

    @Test
    void a_message_over_the_limit_is_refused_with_the_limit() {
        String huge = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + "x".repeat(20_000) + "\"}";

        expect(client.post("/mcp", huge), 413, -32600, "null", "20000 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "PUT", "PATCH", "OPTIONS"})
    void there_is_no_stream_to_get_and_no_session_to_delete(String method) {
        for (String path : new String[] {"/mcp", "/mcp/work", "/mcp/tasks", "/mcp/all"}) {
            HttpRequest.Builder request =
                    client.to(path).setHeader("Accept", "text/event-stream").method(method, BodyPublishers.noBody());
            Reply reply = client.send(request);

            expect(reply, 405, -32600, "null", "use POST");
            assertThat(reply.raw().headers().firstValue("Allow")).contains("POST");
        }
    }

    @Test
    void notifications_and_responses_are_taken_without_an_answer() {
        for (String message : new String[] {
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/of-tomorrow\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
        }) {
            Reply reply = client.post("/mcp", message);

            assertThat(reply.status()).as(message).isEqualTo(202);
            assertThat(reply.raw().body()).isEmpty();
        }
    }

    @Test
    void a_slash_at_the_end_makes_no_difference_and_other_addresses_are_not_found() {
        assertThat(client.post("/mcp/", PING).status()).isEqualTo(200);
        assertThat(client.post("/mcp/work/", PING).status()).isEqualTo(200);
        assertThat(client.post("/mcp/nothing", PING).status()).isEqualTo(404);
    }

    @Test
    void pages_of_other_sites_are_turned_away() {
        Reply reply = client.send(
                client.to("/mcp").header("Origin", "http://evil.example").POST(BodyPublishers.ofString(PING)));

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text("error")).contains("evil.example");
    }

    private static void expect(Reply reply, int status, int code, String id, String text) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().path("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(reply.body().at("/error/code").asInt()).isEqualTo(code);
        assertThat(reply.body().at("/error/message").asString())
                .contains(text)
                .doesNotContain("Exception", "\tat ", "McpSchema");
        assertThat(reply.body().get("id").toString()).isEqualTo(id);
    }
}
