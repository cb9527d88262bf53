package dev.holdfast.broker.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A client's JSON-RPC message. */
sealed interface RpcMessage {
    record Request(Object id, String method, JsonNode params) implements RpcMessage {}

    record Notification(String method) implements RpcMessage {}

    record Response() implements RpcMessage {}

    /** The id that an answer to this message must carry. */
    default @Nullable Object idToAnswer() {
        return this instanceof Request request ? request.id() : null;
    }

    /** @throws RpcException when it is not a JSON-RPC message */
    static RpcMessage of(JsonNode given) {
        if (given.isArray()) {
            throw invalid(null, "batches are not supported; send each message separately");
        }
        if (!given.isObject()) {
            throw invalid(null, "a message is a JSON object");
        }
        Object id = id(given.get("id"));
        if (!given.path("jsonrpc").asString("").equals("2.0")) {
            throw invalid(id, "a message has \"jsonrpc\": \"2.0\"");
        }
        if (!given.has("method")) {
            if (given.has("result") || given.has("error")) {
                return new Response();
            }
            throw invalid(id, "a message has a method");
        }
        if (!given.path("method").isString()) {
            throw invalid(id, "method must be text");
        }
        String method = given.path("method").stringValue();
        if (!given.has("id")) {
            return new Notification(method);
        }
        if (id == null) {
            throw invalid(null, "id must be text or a whole number");
        }
        JsonNode params = given.path("params");
        if (params.isMissingNode() || params.isNull()) {
            params = new ObjectNode(JsonNodeFactory.instance);
        }
        if (!params.isObject()) {
            throw invalid(id, "params must be a JSON object");
        }
        if (params.has("_meta") && !params.path("_meta").isObject()) {
            throw invalid(id, "params._meta must be a JSON object");
        }
        return new Request(id, method, params);
    }

    private static @Nullable Object id(@Nullable JsonNode id) {
        if (id == null) {
            return null;
        }
        return switch (id.getNodeType()) {
            case STRING -> id.stringValue();
            case NUMBER -> id.isIntegralNumber() && id.canConvertToLong() ? id.longValue() : null;
            default -> null;
        };
    }

    private static RpcException invalid(@Nullable Object id, String text) {
        return new RpcException(400, RpcException.INVALID_REQUEST, id, text);
    }

    /** A result in its wire format. */
    static Map<String, @Nullable Object> response(Request request, Object result) {
        Map<String, @Nullable Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", request.id());
        response.put("result", result);
        return response;
    }
}
