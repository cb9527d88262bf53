package dev.holdfast.broker.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends a request with a JSON-RPC error. */
final class RpcException extends RuntimeException {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL = -32603;

    private final int status;
    private final int code;
    private final transient @Nullable Object id;

    /** @param id of the request, as far as it could be read: clients wait in vain for an answer without it */
    RpcException(int status, int code, @Nullable Object id, String text) {
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.id = id;
    }

    int status() {
        return status;
    }

    Map<String, @Nullable Object> told() {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("jsonrpc", "2.0");
        told.put("id", id);
        told.put("error", Map.of("code", code, "message", String.valueOf(getMessage())));
        return told;
    }

    static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
