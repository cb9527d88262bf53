package dev.holdfast.broker.mcp;

import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.broker.verb.Origin;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The protocol up to 2025-11-25: {@code initialize} first, then the agreed version in a header. No session is kept. */
final class LegacyProtocol implements ProtocolGeneration {
    static final LegacyProtocol ERA = new LegacyProtocol();
    static final List<String> VERSIONS = List.of("2025-03-26", "2025-06-18", "2025-11-25");

    private LegacyProtocol() {}

    private record Initialized(
            String protocolVersion, Map<String, Object> capabilities, ServerInfo serverInfo, String instructions) {}

    /** @param known the caller, as far as its session is known */
    static Map<String, Method> methods(
            Map<String, Object> capabilities, String instructions, Function<Origin, KnownClient> known) {
        return Map.of(
                "initialize",
                (params, origin) -> Result.of(new Initialized(
                        agreed(params),
                        capabilities,
                        ServerInfo.HOLDFAST,
                        Instructions.of(instructions, known.apply(origin)))),
                "ping",
                (_, _) -> Result.of(Map.of()));
    }

    /** A client that asks for a version we do not have is offered the newest of this era. */
    private static String agreed(JsonNode params) {
        if (!params.path("protocolVersion").isString()) {
            throw RpcException.invalidParams("initialize needs params.protocolVersion, such as 2025-11-25");
        }
        for (String name : List.of("capabilities", "clientInfo")) {
            if (params.has(name) && !params.path(name).isObject()) {
                throw RpcException.invalidParams("params." + name + " must be a JSON object");
            }
        }
        String asked = params.path("protocolVersion").stringValue();
        return VERSIONS.contains(asked) ? asked : VERSIONS.getLast();
    }

    /** While negotiating, a client may name any version; without one, the oldest is assumed. */
    @Override
    public void check(RpcMessage message, Function<String, List<String>> headers) {
        List<String> versions = headers.apply(VERSION_HEADER);
        boolean negotiating = message instanceof RpcMessage.Request request
                && request.method().equals("initialize");
        if (!negotiating && !versions.stream().map(String::strip).allMatch(VERSIONS::contains)) {
            throw new RpcException(
                    400,
                    RpcException.INVALID_REQUEST,
                    message.idToAnswer(),
                    VERSION_HEADER + " is not one of " + String.join(", ", VERSIONS)
                            + "; send the one that initialize answered");
        }
    }

    @Override
    public Object result(String method, Object result) {
        return result;
    }

    @Override
    public int unknownMethodStatus() {
        return 200;
    }

    @Override
    public int noResourceCode() {
        return -32002;
    }
}
