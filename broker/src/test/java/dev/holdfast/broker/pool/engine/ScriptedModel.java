package dev.holdfast.broker.pool.engine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A model that Codex talks to, without any intelligence: it answers each request of the Responses API with the next
 * step of a reviewer's work, which it reads off the conversation. First it looks at its shell's environment.
 */
public final class ScriptedModel implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final Pattern REVIEWER = Pattern.compile("(?:reviewer_id is|You are reviewer) \"([^\"]+)\"");
    /** Only the predecessor's templates say so. */
    private static final String LISTING = "list_reviews(status";

    private final HttpServer server;
    private final AtomicInteger ids = new AtomicInteger();

    /** What Codex sent, in the order of arrival. */
    public final List<JsonNode> requests = new CopyOnWriteArrayList<>();

    public ScriptedModel() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** Codex's settings that lead to this model. */
    public Map<String, String> settings() {
        String provider = "model_providers.scripted.";
        return Map.of(
                "model_provider",
                "\"scripted\"",
                provider + "name",
                "\"scripted\"",
                provider + "base_url",
                "\"http://127.0.0.1:" + server.getAddress().getPort() + "/v1\"",
                provider + "wire_api",
                "\"responses\"",
                provider + "env_key",
                "\"SCRIPTED_KEY\"");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")
                    || !exchange.getRequestURI().getPath().endsWith("/responses")) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            JsonNode request = MAPPER.readTree(exchange.getRequestBody());
            requests.add(request);
            Map<String, Object> item = next(request.path("input"));
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            String id = "resp_" + ids.incrementAndGet();
            Map<String, Object> usage = Map.of("input_tokens", 1, "output_tokens", 1, "total_tokens", 2);
            String events = event("response.created", Map.of("response", Map.of("id", id)))
                    + event("response.output_item.done", Map.of("output_index", 0, "item", item))
                    + event("response.completed", Map.of("response", Map.of("id", id, "usage", usage)));
            exchange.getResponseBody().write(events.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String event(String type, Map<String, Object> content) {
        Map<String, Object> whole = new HashMap<>(content);
        whole.put("type", type);
        return "event: " + type + "\ndata: " + MAPPER.writeValueAsString(whole) + "\n\n";
    }

    private Map<String, Object> next(JsonNode input) {
        String reviewer = reviewer(input);
        List<String> called = new ArrayList<>();
        JsonNode answer = MAPPER.createObjectNode();
        JsonNode claim = answer;
        for (JsonNode item : input) {
            if (item.path("type").asString("").equals("function_call")) {
                called.add(item.path("name").asString());
            } else if (item.path("type").asString("").equals("function_call_output")) {
                answer = json(item.path("output"));
                claim = answer.has("claim_generation") ? answer : claim;
            }
        }
        if (called.isEmpty()) {
            return shell("env");
        }
        if (input.toString().contains(LISTING)) {
            return nextOfListing(called.getLast(), answer, claim, reviewer);
        }
        return switch (called.getLast()) {
            case "claim_next_review" -> {
                if (answer.has("error")) {
                    yield message("told to stop: " + answer.path("error").asString());
                }
                yield answer.path("review_id").isString()
                        ? tool(
                                "get_proposal",
                                Map.of("review_id", answer.path("review_id").asString(), "caller_id", reviewer))
                        : tool("claim_next_review", Map.of("reviewer_id", reviewer, "wait_seconds", 20));
            }
            case "get_proposal" -> approval(answer, claim, reviewer);
            default -> tool("claim_next_review", Map.of("reviewer_id", reviewer, "wait_seconds", 20));
        };
    }

    /** As reviewers of the predecessor work: list, claim, read without a word of who reads, judge, talk; then it tries to close. */
    private Map<String, Object> nextOfListing(String last, JsonNode answer, JsonNode claim, String reviewer) {
        String id = claim.path("review_id").asString("");
        return switch (last) {
            case "list_reviews" -> {
                if (answer.has("error")) {
                    yield message("told to stop: " + answer.path("error").asString());
                }
                String listed = answer.at("/reviews/0/id").asString("");
                yield listed.isEmpty()
                        ? tool("list_reviews", Map.of("status", "pending", "wait", true))
                        : tool("claim_review", Map.of("review_id", listed, "reviewer_id", reviewer));
            }
            case "claim_review" -> tool("get_proposal", Map.of("review_id", id));
            case "get_proposal" -> approval(answer, claim, reviewer);
            case "submit_verdict" -> tool("get_discussion", Map.of("review_id", id));
            case "get_discussion" ->
                tool("add_message", Map.of("review_id", id, "sender_role", "reviewer", "body", "well done"));
            case "add_message" -> tool("close_review", Map.of("review_id", id, "closer_role", "reviewer"));
            default -> tool("list_reviews", Map.of("status", "pending", "wait", true));
        };
    }

    private Map<String, Object> approval(JsonNode proposal, JsonNode claim, String reviewer) {
        return tool(
                "submit_verdict",
                Map.of(
                        "review_id",
                        claim.path("review_id").asString(),
                        "reviewer_id",
                        reviewer,
                        "claim_generation",
                        claim.path("claim_generation").asLong(),
                        "verdict",
                        "approved",
                        "reason",
                        "read " + proposal.path("diff").asString("").length() + " characters"));
    }

    private static String reviewer(JsonNode input) {
        Matcher found = REVIEWER.matcher(input.toString().replace("\\\"", "\""));
        return found.find() ? found.group(1) : "nobody";
    }

    /** Codex puts a line about the time it took before what a tool answered. */
    private static JsonNode json(JsonNode output) {
        String text = output.isString()
                ? output.asString()
                : output.path(0).path("text").asString("");
        int start = text.indexOf('{');
        try {
            return start < 0 ? MAPPER.createObjectNode() : MAPPER.readTree(text.substring(start));
        } catch (JacksonException _) {
            return MAPPER.createObjectNode();
        }
    }

    private Map<String, Object> tool(String name, Map<String, Object> arguments) {
        return call(Map.of("namespace", "mcp__holdfast"), name, arguments);
    }

    private Map<String, Object> shell(String command) {
        return call(Map.of(), "exec_command", Map.of("cmd", command));
    }

    private Map<String, Object> call(Map<String, Object> more, String name, Map<String, Object> arguments) {
        Map<String, Object> item = new HashMap<>(more);
        item.put("type", "function_call");
        item.put("id", "fc_" + ids.incrementAndGet());
        item.put("call_id", "call_" + ids.incrementAndGet());
        item.put("name", name);
        item.put("arguments", MAPPER.writeValueAsString(arguments));
        return item;
    }

    private Map<String, Object> message(String text) {
        return Map.of(
                "type",
                "message",
                "id",
                "msg_" + ids.incrementAndGet(),
                "role",
                "assistant",
                "content",
                List.of(Map.of("type", "output_text", "text", text, "annotations", List.of())));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
