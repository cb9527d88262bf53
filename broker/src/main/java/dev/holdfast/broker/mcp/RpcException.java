package dev.holdfast.broker.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends a request with a JSON-RPC error. */
final class RpcException extends RuntimeException {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int INVALID_PARAMS = -32602;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INTERNAL = -32603;

    private final int status;
    private final int code;
    private final transient @Nullable Object id;
    private final transient Map<String, @Nullable Object> data;

    /** @param id the request's id, as far as it could be read: without it, clients would wait in vain */
    RpcException(int status, int code, @Nullable Object id, String text) {
        this(status, code, id, text, Map.of());
    }

    RpcException(int status, int code, @Nullable Object id, String text, Map<String, @Nullable Object> data) {
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.id = id;
        this.data = data;
    }

    static RpcException invalidParams(String text) {
        return new RpcException(200, INVALID_PARAMS, null, text);
    }

    /** The same error, as the answer to this request. */
    RpcException to(RpcMessage.Request request) {
        return new RpcException(status, code, request.id(), String.valueOf(getMessage()), data);
    }

    int status() {
        return status;
    }

    Map<String, @Nullable Object> body() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("jsonrpc", "2.0");
        json.put("id", id);
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", String.valueOf(getMessage()));
        if (!data.isEmpty()) {
            error.put("data", data);
        }
        json.put("error", error);
        return json;
    }

    static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
