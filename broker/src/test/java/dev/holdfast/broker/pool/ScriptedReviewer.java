package dev.holdfast.broker.pool;

import dev.holdfast.broker.Given;
import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.McpRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reviewer for tests: a program of its own that reaches the broker as reviewers do, by MCP with its token, and does as
 * its first argument says.
 */
public final class ScriptedReviewer {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI mcp = URI.create(System.getenv("HOLDFAST_MCP_URL"));
    private final String token = System.getenv("HOLDFAST_TOKEN");
    private final String id = System.getenv("HOLDFAST_REVIEWER");

    private ScriptedReviewer() {}

    public static void main(String[] arguments) throws Exception {
        new ScriptedReviewer().run(arguments[0], arguments.length > 1 ? Path.of(arguments[1]) : Path.of("."));
    }

    /** The words that start one. */
    public static List<String> command(String script, Path folder) {
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.addAll(List.of(ScriptedReviewer.class.getName(), script, folder.toString()));
        return command;
    }

    /** A pool of those that claim a review each and then do nothing. */
    public static Map<String, Object> sleepers(Path folder, Object... more) {
        return Given.map(Given.with(
                more,
                "engine",
                "command",
                "command",
                command("claim-and-sleep", folder),
                "scaling_ratio",
                1,
                "spawn_cooldown_seconds",
                1));
    }

    private void run(String script, Path folder) throws Exception {
        switch (script) {
            case "approve" -> review();
            case "claim-and-sleep" -> {
                JsonNode claimed = claim();
                Files.writeString(
                        folder.resolve("copy-of-" + id),
                        token + "\n" + claimed.path("review_id").asString() + "\n"
                                + claimed.path("claim_generation").asLong());
                Thread.sleep(1_000_000);
            }
            case "wait" -> {
                call("list_reviews", Map.of());
                Thread.sleep(1_000_000);
            }
            default -> throw new IllegalArgumentException(script);
        }
    }

    /** Until it is ended. */
    private void review() throws Exception {
        while (true) {
            JsonNode claimed = claim();
            String review = claimed.path("review_id").asString();
            call("get_proposal", Map.of("review_id", review));
            Map<String, Object> verdict = new LinkedHashMap<>();
            verdict.put("review_id", review);
            verdict.put("verdict", "approved");
            verdict.put("claim_generation", claimed.path("claim_generation").asLong());
            System.out.println("approved " + call("submit_verdict", verdict));
        }
    }

    private JsonNode claim() throws Exception {
        while (true) {
            JsonNode claimed = call("claim_next_review", Map.of("wait_seconds", 20));
            if (claimed.path("review_id").isString()) {
                return claimed;
            }
            if (claimed.has("error")) {
                System.out.println("refused: " + claimed);
                Thread.sleep(200);
            }
        }
    }

    private JsonNode call(String tool, Map<String, Object> arguments) throws Exception {
        String message = McpRequest.toolCall(tool, arguments).json();
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(mcp)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.ofString(message))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return JSON.readTree(response.body()).at("/result/structuredContent");
    }
}
