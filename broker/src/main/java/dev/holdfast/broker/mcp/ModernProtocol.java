package dev.holdfast.broker.mcp;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.broker.verb.JsonObject;
import dev.holdfast.broker.verb.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protocol since 2026-07-28: every request carries its version and its client's capabilities, and repeats in
 * headers what proxies need. The server must check that headers and body agree.
 */
final class ModernProtocol implements ProtocolGeneration {
    static final ModernProtocol ERA = new ModernProtocol();
    static final String VERSION = "2026-07-28";

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String METHOD_HEADER = "Mcp-Method";
    private static final String NAME_HEADER = "Mcp-Name";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";
    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;

    /** Lists that change only with a new release. */
    private static final Caching STABLE = new Caching(300_000, "public");
    /** Reviews change at any time, and reading one leaves a receipt. */
    private static final Caching NEVER = new Caching(0, "private");

    private static final Map<String, Caching> CACHEABLE = Map.of(
            "server/discover", STABLE,
            "tools/list", STABLE,
            "prompts/list", STABLE,
            "resources/templates/list", STABLE,
            "resources/list", NEVER,
            "resources/read", NEVER);

    private record Caching(long ttlMs, String scope) {}

    /** @param ofOne whether the instructions are specific to one client */
    private record Discovered(
            List<String> supportedVersions,
            Map<String, Object> capabilities,
            String instructions,
            @JsonIgnore boolean ofOne) {}

    private ModernProtocol() {}

    /** @param known the caller, as far as its session is known */
    static Map<String, Method> methods(
            Map<String, Object> capabilities, String instructions, Function<Origin, KnownClient> known) {
        return Map.of("server/discover", (_, origin) -> {
            KnownClient caller = known.apply(origin);
            return Result.of(new Discovered(
                    ProtocolGeneration.versions(),
                    capabilities,
                    Instructions.of(instructions, caller),
                    !caller.nothing()));
        });
    }

    /** Whether these parameters name a version, as only this era's do. */
    static boolean isMeant(JsonNode params) {
        return params.path("_meta").has(PREFIX + "protocolVersion");
    }

    @Override
    public void check(RpcMessage message, Function<String, List<String>> headers) {
        if (!(message instanceof RpcMessage.Request request)) {
            return;
        }
        String versionHeader = only(request, VERSION_HEADER, headers);
        String methodHeader = only(request, METHOD_HEADER, headers);
        String nameHeader = only(request, NAME_HEADER, headers);
        JsonNode meta = request.params().path("_meta");
        JsonNode version = meta.path(PREFIX + "protocolVersion");
        if (!version.isString()) {
            throw invalid(request, "params._meta needs " + PREFIX + "protocolVersion, such as " + VERSION);
        }
        compare(request, VERSION_HEADER, versionHeader, version.stringValue());
        if (!version.stringValue().equals(VERSION)) {
            throw new RpcException(
                    400,
                    UNSUPPORTED_VERSION,
                    request.id(),
                    "protocol version " + RpcException.shortened(version.stringValue())
                            + " is not supported in requests; use " + VERSION,
                    JsonObject.of("supported", ProtocolGeneration.versions(), "requested", version.stringValue()));
        }
        if (!meta.path(PREFIX + "clientCapabilities").isObject()) {
            throw invalid(request, "params._meta needs " + PREFIX + "clientCapabilities, a JSON object");
        }
        compare(request, METHOD_HEADER, methodHeader, request.method());
        JsonNode name = switch (request.method()) {
            case "tools/call", "prompts/get" -> request.params().path("name");
            case "resources/read" -> request.params().path("uri");
            default -> MAPPER.missingNode();
        };
        if (name.isString()) {
            compare(request, NAME_HEADER, decoded(request, nameHeader), name.stringValue());
        }
    }

    /** If a header is given twice, a proxy may have used either value. */
    private static @Nullable String only(
            RpcMessage.Request request, String name, Function<String, List<String>> headers) {
        List<String> given = headers.apply(name);
        if (given.size() > 1) {
            throw mismatch(request, "the header " + name + " is given " + given.size() + " times; give it once");
        }
        return given.isEmpty() ? null : given.getFirst();
    }

    private static void compare(RpcMessage.Request request, String name, @Nullable String header, String body) {
        if (header == null || !header.strip().equals(body)) {
            throw mismatch(
                    request,
                    header == null
                            ? "the header " + name + " is missing"
                            : "the header " + name + " does not match the body, which says "
                                    + RpcException.shortened(body));
        }
    }

    private static @Nullable String decoded(RpcMessage.Request request, @Nullable String header) {
        if (header == null) {
            return null;
        }
        String value = header.strip();
        if (value.chars().anyMatch(c -> c > '~' || (c < ' ' && c != '\t'))) {
            throw mismatch(request, "the header Mcp-Name has characters that only base64 may carry");
        }
        if (!value.startsWith(ENCODED) || !value.endsWith(ENCODED_END)) {
            return value;
        }
        try {
            String text = value.substring(ENCODED.length(), value.length() - ENCODED_END.length());
            byte[] bytes = Base64.getDecoder().decode(text);
            if (!Base64.getEncoder().encodeToString(bytes).equals(text)) { // Java accepts other spellings too
                throw mismatch(request, "the header Mcp-Name is not valid base64: its padding or last bits are wrong");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw mismatch(request, "the header Mcp-Name is not base64 of UTF-8");
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            throw mismatch(request, "the header Mcp-Name is not valid base64");
        }
    }

    private static RpcException mismatch(RpcMessage.Request request, String text) {
        return new RpcException(400, HEADER_MISMATCH, request.id(), text);
    }

    private static RpcException invalid(RpcMessage.Request request, String text) {
        return new RpcException(400, RpcException.INVALID_PARAMS, request.id(), text);
    }

    @Override
    public Object result(String method, Object result) {
        ObjectNode modern = MAPPER.valueToTree(result);
        modern.put("resultType", "complete");
        // what one client learns about itself must not be cached for others
        Caching caching = result instanceof Discovered discovered && discovered.ofOne() ? NEVER : CACHEABLE.get(method);
        if (caching != null) {
            modern.put("ttlMs", caching.ttlMs()).put("cacheScope", caching.scope());
        }
        modern.putObject("_meta").set(PREFIX + "serverInfo", MAPPER.valueToTree(ServerInfo.HOLDFAST));
        return modern;
    }

    @Override
    public int unknownMethodStatus() {
        return 404;
    }

    @Override
    public int noResourceCode() {
        return RpcException.INVALID_PARAMS;
    }
}
