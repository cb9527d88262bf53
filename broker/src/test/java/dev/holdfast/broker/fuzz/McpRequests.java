package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusalCode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Messages of both generations of MCP at every address: tool calls, the other methods, notifications, batches, nonsense. */
final class McpRequests implements Door {
    private static final Set<Integer> ERRORS = Set.of(-32700, -32600, -32601, -32602, -32603, -32002, -32020, -32022);
    private static final Set<Integer> STATUSES = Set.of(200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 421, 431);
    private static final List<String> PATHS =
            Arrays.stream(Toolset.values()).flatMap(one -> one.paths().stream()).toList();
    private static final String META = "io.modelcontextprotocol/";
    private static final String NEWEST = "2026-07-28";
    private static final List<String> VERSIONS =
            List.of("2025-03-26", "2025-06-18", "2025-11-25", "2025-11-25", NEWEST, "1999-01-01", "");
    private static final List<String> METHODS = List.of(
            "initialize",
            "ping",
            "server/discover",
            "resources/list",
            "resources/read",
            "resources/templates/list",
            "prompts/list",
            "prompts/get",
            "completion/complete",
            "notifications/initialized",
            "logging/setLevel",
            "x",
            "");

    private final List<Verb> verbs;
    private final Learnt learnt;
    private int turn;

    McpRequests(List<Verb> verbs, Learnt learnt) {
        this.verbs = verbs;
        this.learnt = learnt;
    }

    @Override
    public Input next(Noise noise) {
        boolean tool = !noise.oneIn(6);
        Verb verb = verbs.get(turn++ % verbs.size());
        String method = tool ? "tools/call" : noise.oneIn(40) ? "tools/list" : noise.oneOf(METHODS);
        Map<String, @Nullable Object> params = tool ? call(noise, verb) : params(noise, method);
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", noise.oneIn(60) ? noise.odd(0) : "2.0");
        if (!noise.oneIn(40)) {
            message.put("id", noise.oneIn(12) ? noise.odd(0) : turn);
        }
        message.put("method", noise.oneIn(80) ? noise.odd(0) : method);
        List<String> headers = Door.headers(noise, learnt);
        headers.add(
                "Accept: " + (noise.oneIn(60) ? Door.oneLine(noise.text()) : "application/json, text/event-stream"));
        if (noise.random().nextBoolean()) {
            modern(noise, method, params, headers);
        } else if (noise.oneIn(2)) {
            headers.add("MCP-Protocol-Version: " + (noise.oneIn(20) ? noise.oneOf(VERSIONS) : "2025-11-25"));
        }
        message.put("params", noise.oneIn(60) ? noise.odd(0) : params);
        if (noise.oneIn(60)) {
            message.put(noise.oneOf(List.of("result", "error", "x")), noise.odd(0));
            message.remove(noise.oneOf(List.of("method", "id", "jsonrpc")));
        }
        Object body = noise.oneIn(80) ? List.of(message, message) : message;
        return Input.post(
                noise, noise.oneIn(4) ? noise.oneOf(PATHS) : "/mcp/all", headers, noise.json(body), tool ? verb : null);
    }

    private static Map<String, @Nullable Object> call(Noise noise, Verb verb) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("name", noise.oneIn(80) ? noise.odd(0) : verb.name());
        params.put("arguments", noise.oneIn(60) ? noise.odd(0) : noise.arguments(verb.arguments()));
        return params;
    }

    private Map<String, @Nullable Object> params(Noise noise, String method) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        switch (method) {
            case "initialize" -> {
                params.put("protocolVersion", noise.oneIn(4) ? noise.odd(0) : noise.oneOf(VERSIONS));
                params.put("capabilities", noise.oneIn(6) ? noise.odd(0) : Map.of());
                params.put("clientInfo", noise.oneIn(6) ? noise.odd(0) : Map.of("name", "x", "version", "1"));
            }
            case "resources/read" ->
                params.put("uri", noise.oneIn(3) ? noise.odd(0) : "holdfast://reviews/" + noise.text());
            case "prompts/get" -> {
                params.put(
                        "name",
                        noise.oneIn(4) ? noise.odd(0) : noise.oneOf(List.of("review", "propose", "review-next")));
                params.put("arguments", noise.oneIn(4) ? noise.odd(0) : Map.of("review_id", noise.text()));
            }
            case "completion/complete" -> {
                params.put("ref", noise.oneIn(4) ? noise.odd(0) : Map.of("type", "ref/prompt", "name", noise.text()));
                params.put(
                        "argument", noise.oneIn(4) ? noise.odd(0) : Map.of("name", "review_id", "value", noise.text()));
            }
            default -> {
                if (noise.oneIn(3)) {
                    params.put(noise.oneOf(List.of("cursor", "_meta", "x")), noise.odd(0));
                }
            }
        }
        return params;
    }

    /** Adds what the newest generation wants: in the message, and again in headers; not always the same. */
    private static void modern(Noise noise, String method, Map<String, @Nullable Object> params, List<String> headers) {
        Map<String, @Nullable Object> meta = new LinkedHashMap<>();
        meta.put(META + "protocolVersion", noise.oneIn(30) ? noise.odd(0) : NEWEST);
        meta.put(META + "clientCapabilities", noise.oneIn(30) ? noise.odd(0) : Map.of());
        params.put("_meta", noise.oneIn(60) ? noise.odd(0) : meta);
        headers.add("MCP-Protocol-Version: " + (noise.oneIn(30) ? noise.oneOf(VERSIONS) : NEWEST));
        if (!noise.oneIn(40)) {
            headers.add("Mcp-Method: " + (noise.oneIn(40) ? Door.oneLine(noise.text()) : method));
        }
        Object named = params.getOrDefault("name", params.get("uri"));
        if (named != null) {
            headers.add("Mcp-Name: "
                    + (noise.oneIn(40)
                            ? "=?base64?" + Door.oneLine(noise.text()) + "?="
                            : Door.oneLine(named.toString())));
        }
        if (noise.oneIn(80)) {
            headers.add(noise.oneOf(headers));
        }
    }

    @Override
    public Outcome judge(Input input, Wire.Response response, Learnt learnt) {
        if (!STATUSES.contains(response.status())) {
            return Outcome.wrong("a status that is none of MCP's", response);
        }
        if (response.status() == 202) {
            return response.body().isEmpty()
                    ? new Outcome("accepted notifications", false, null)
                    : Outcome.wrong("an answer to a notification", response);
        }
        JsonNode body = Door.json(response);
        Optional<RefusalCode> early = HttpRequests.code(body);
        if (response.status() >= 400 && early.isPresent() && early.get() != RefusalCode.INTERNAL) {
            return new Outcome(early.get() + " before MCP", false, null);
        }
        if (body == null
                || !body.path("jsonrpc").asString("").equals("2.0")
                || !body.has("id")
                || body.has("error") == body.has("result")) {
            return Outcome.wrong("no message of JSON-RPC", response);
        }
        if (body.has("error")) {
            int code = body.at("/error/code").asInt(0);
            boolean busy = body.at("/error/message").asString("").endsWith("ask again in a second");
            return ERRORS.contains(code) && (code != -32603 || busy)
                    ? new Outcome("error " + code, false, null)
                    : Outcome.wrong("an error that is none of MCP's", response);
        }
        return result(input, body.path("result"), response, learnt);
    }

    private static Outcome result(Input input, JsonNode result, Wire.Response response, Learnt learnt) {
        if (!result.has("structuredContent")) {
            return new Outcome("other results", false, null);
        }
        JsonNode content = result.path("structuredContent");
        Optional<RefusalCode> code = content.has("error") ? HttpRequests.code(content) : Optional.empty();
        if (code.isPresent()) {
            return code.get() == RefusalCode.INTERNAL
                    ? Outcome.wrong("something broke", response)
                    : new Outcome(code.get().toString(), false, null);
        }
        if (result.path("isError").asBoolean(true) || input.verb() == null) {
            return Outcome.wrong("neither a result nor a refusal", response);
        }
        learnt.from(content);
        return new Outcome("done", !input.verb().effect().readOnly(), null);
    }
}
