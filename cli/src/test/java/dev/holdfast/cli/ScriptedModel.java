package dev.holdfast.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * A model for both hosts, without any intelligence: it calls one tool after the other, whatever comes of it, and says that it is
 * done. Claude Code asks it by the Messages API, Codex by the Responses API.
 */
final class ScriptedModel implements AutoCloseable {
    private final HttpServer server;
    private final Path folder;
    private final List<Step> steps;
    private final Set<Integer> taken = ConcurrentHashMap.newKeySet();

    /** What the host sent, in the order of arrival; only where it offered tools. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** What went wrong before a step. */
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** A call of a tool. */
    sealed interface Call {
        record Shell(String command) implements Call {}

        record Write(String path, String text) implements Call {}

        /** Of the MCP server holdfast. */
        record Tool(String name, Map<String, Object> input) implements Call {}
    }

    /** @param before what happens in the world before the model makes its call */
    record Step(Runnable before, Call call) {
        static Step shell(String command) {
            return new Step(() -> {}, new Call.Shell(command));
        }

        static Step write(String path) {
            return new Step(() -> {}, new Call.Write(path, "x\n"));
        }

        static Step tool(String name, Map<String, Object> input) {
            return new Step(() -> {}, new Call.Tool(name, input));
        }

        Step after(Runnable deed) {
            return new Step(deed, call);
        }
    }

    /** @param folder the one that the host works in */
    ScriptedModel(Path folder, List<Step> steps) throws IOException {
        this.folder = folder;
        this.steps = steps;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            String events = "";
            if (path.endsWith("/responses")) {
                events = codex(body);
            } else if (path.endsWith("/messages")) {
                events = claude(body);
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(events.isEmpty() ? 404 : 200, events.isEmpty() ? -1 : 0);
            if (!events.isEmpty()) {
                exchange.getResponseBody().write(events.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private String codex(String body) {
        requests.add(body);
        List<JsonObject> input = read(body).objects("input");
        int made = (int) input.stream()
                .filter(item -> String.valueOf(item.text("type")).matches("(function|custom_tool)_call"))
                .count();
        Map<String, Object> item = new LinkedHashMap<>();
        if (made < steps.size()) {
            item.put("call_id", "call_" + made);
            switch (take(made)) {
                case Call.Shell(String command) -> {
                    item.put("type", "function_call");
                    item.put("name", "exec_command");
                    item.put("arguments", Json.write(Map.of("cmd", command, "yield_time_ms", 30_000)));
                }
                case Call.Write(String path, String text) -> {
                    item.put("type", "custom_tool_call");
                    item.put("name", "apply_patch");
                    item.put(
                            "input",
                            "*** Begin Patch\n*** Add File: " + path + "\n+" + text.strip() + "\n*** End Patch\n");
                }
                case Call.Tool(String name, Map<String, Object> arguments) -> {
                    // Codex shows this model no MCP tool before it has searched for it, and finds none while the server
                    // starts
                    List<JsonObject> searches = input.stream()
                            .filter(each -> "tool_search_output".equals(each.text("type")))
                            .toList();
                    if (searches.stream()
                            .anyMatch(each -> !each.objects("tools").isEmpty())) {
                        item.put("type", "function_call");
                        item.put("namespace", "mcp__holdfast");
                        item.put("name", name);
                        item.put("arguments", Json.write(arguments));
                    } else {
                        item.put("type", "tool_search_call");
                        item.put("call_id", "search_" + searches.size());
                        item.put("execution", "client");
                        item.put("arguments", Map.of("query", "holdfast " + name, "limit", 20));
                    }
                }
            }
        } else {
            item.put("type", "message");
            item.put("role", "assistant");
            item.put("content", List.of(Map.of("type", "output_text", "text", "done", "annotations", List.of())));
        }
        item.put("id", "item_" + input.size());
        Map<String, Object> usage = Map.of("input_tokens", 1, "output_tokens", 1, "total_tokens", 2);
        return event("response.created", Map.of("response", Map.of("id", "resp_" + made)))
                + event("response.output_item.done", Map.of("output_index", 0, "item", item))
                + event("response.completed", Map.of("response", Map.of("id", "resp_" + made, "usage", usage)));
    }

    private String claude(String body) {
        JsonObject request = read(body);
        int made = (int) request.objects("messages").stream()
                .flatMap(message -> message.objects("content").stream())
                .filter(part -> "tool_use".equals(part.text("type")))
                .count();
        boolean atWork = !request.objects("tools").isEmpty();
        Map<String, Object> block = Map.of("type", "text", "text", "");
        Map<String, Object> delta = Map.of("type", "text_delta", "text", "done");
        boolean calls = false;
        if (atWork) {
            requests.add(body);
            calls = made < steps.size();
        }
        if (calls) {
            Map<String, Object> input = Map.of();
            String tool = "";
            switch (take(made)) {
                case Call.Shell(String command) -> {
                    tool = "Bash";
                    input = Map.of("command", command, "description", "a step");
                }
                case Call.Write(String path, String text) -> {
                    tool = "Write";
                    input = Map.of("file_path", folder.resolve(path).toString(), "content", text);
                }
                case Call.Tool(String name, Map<String, Object> arguments) -> {
                    tool = "mcp__holdfast__" + name;
                    input = arguments;
                }
            }
            block = Map.of("type", "tool_use", "id", "toolu_" + made, "name", tool, "input", Map.of());
            delta = Map.of("type", "input_json_delta", "partial_json", Json.write(input));
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", "msg_" + made);
        message.put("type", "message");
        message.put("role", "assistant");
        message.put("model", request.text("model"));
        message.put("content", List.of());
        message.put("usage", Map.of("input_tokens", 1, "output_tokens", 1));
        return event("message_start", Map.of("message", message))
                + event("content_block_start", Map.of("index", 0, "content_block", block))
                + event("content_block_delta", Map.of("index", 0, "delta", delta))
                + event("content_block_stop", Map.of("index", 0))
                + event(
                        "message_delta",
                        Map.of(
                                "delta",
                                Map.of("stop_reason", calls ? "tool_use" : "end_turn"),
                                "usage",
                                Map.of("output_tokens", 1)))
                + event("message_stop", Map.of());
    }

    /** The step's call, after what is to happen before it, once. */
    private Call take(int number) {
        Step step = steps.get(number);
        if (taken.add(number)) {
            try {
                step.before.run();
            } catch (RuntimeException | AssertionError e) {
                failures.add(e);
            }
        }
        return step.call;
    }

    private static JsonObject read(String body) {
        try {
            return JsonObject.of(Json.read(body));
        } catch (NotJsonException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
    }

    private static String event(String type, Map<String, Object> content) {
        Map<String, Object> whole = new LinkedHashMap<>(content);
        whole.put("type", type);
        return "event: " + type + "\ndata: " + Json.write(whole) + "\n\n";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
