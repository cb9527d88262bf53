package dev.holdfast.broker.crash;

import dev.holdfast.broker.ServeCommand;
import dev.holdfast.testing.McpRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the processes of tests do, once: a broker on each store, and a client that claims, works and reviews. Its classes are then in
 * the cache that all of them start with.
 */
final class Training {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    private Training(String url) {
        this.url = url;
    }

    /** @param words a data folder, and the address of a database */
    public static void main(String... words) throws Exception {
        PrintStream out = System.out;
        for (List<String> store : List.of(List.of("--data", words[0]), List.of("--database", words[1]))) {
            new Training(serve(store)).exercise();
        }
        out.println("trained");
    }

    private static String serve(List<String> store) throws IOException {
        PipedInputStream said = new PipedInputStream();
        System.setOut(new PrintStream(new PipedOutputStream(said), true, StandardCharsets.UTF_8));
        Thread.ofPlatform().start(() -> {
            try {
                ServeCommand.main(new String[] {"--port", "0", store.get(0), store.get(1)});
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        String ready = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8)).readLine();
        return ready.replaceAll(".*(http://\\S+).*", "$1");
    }

    private void exercise() throws Exception {
        JsonNode claim = call("claim", Map.of("resource", "key:training", "holder", "ann", "ttl_seconds", 60));
        call("claim", Map.of("resource", "key:training", "holder", "bob"));
        call("heartbeat", Map.of("holder", "ann"));
        call("who", Map.of("kind", "key"));
        call("release", Map.of("resource", "key:training", "holder", "ann", "claim_generation", generation(claim)));
        work();
        review();
        send(HttpRequest.newBuilder(URI.create(url + "/")));
        send(HttpRequest.newBuilder(URI.create(url + "/metrics")));
    }

    private void work() throws Exception {
        call("create_work", Map.of("title", "Training"));
        JsonNode next = call("claim_next_work", Map.of("holder", "ann"));
        call(
                "close_work",
                Map.of(
                        "id",
                        next.at("/item/id").asString(),
                        "holder",
                        "ann",
                        "claim_generation",
                        generation(next.path("claim"))));
    }

    private void review() throws Exception {
        String review = call(
                        "create_review",
                        Map.of("intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1"))
                .path("review_id")
                .asString();
        JsonNode claim = tool("claim_review", Map.of("review_id", review, "reviewer_id", "bob"));
        tool("get_proposal", Map.of("review_id", review));
        tool(
                "submit_verdict",
                Map.of(
                        "review_id",
                        review,
                        "reviewer_id",
                        "bob",
                        "verdict",
                        "approved",
                        "claim_generation",
                        generation(claim)));
    }

    private static long generation(JsonNode claim) {
        return claim.path("claim_generation").asLong();
    }

    private JsonNode call(String verb, Map<String, ?> arguments) throws Exception {
        return send(post("/api/v1/" + verb, arguments));
    }

    private JsonNode tool(String name, Map<String, ?> arguments) throws Exception {
        return send(post("/mcp", McpRequest.toolCall(name, arguments).message()))
                .at("/result/structuredContent");
    }

    private HttpRequest.Builder post(String path, Map<String, ?> body) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }

    private JsonNode send(HttpRequest.Builder request) throws Exception {
        String body = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return body.startsWith("{") ? JSON.readTree(body) : JSON.nullNode();
    }
}
