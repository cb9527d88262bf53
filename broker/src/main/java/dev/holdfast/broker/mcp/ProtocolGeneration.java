package dev.holdfast.broker.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A generation of the protocol. Up to 2025-11-25, a client begins with {@code initialize}; since 2026-07-28, every
 * request is self-contained and nothing is negotiated. Both are served at the same addresses.
 */
sealed interface ProtocolGeneration permits LegacyProtocol, ModernProtocol {
    String VERSION_HEADER = "MCP-Protocol-Version";

    /** All protocol versions served here, newest first. */
    static List<String> versions() {
        List<String> versions = new ArrayList<>(List.of(ModernProtocol.VERSION));
        versions.addAll(LegacyProtocol.VERSIONS.reversed());
        return versions;
    }

    /**
     * The era of a message.
     *
     * @param version the header {@link #VERSION_HEADER}
     */
    static ProtocolGeneration of(RpcMessage message, @Nullable String version) {
        boolean named = version != null && version.strip().equals(ModernProtocol.VERSION);
        boolean modern = message instanceof RpcMessage.Request request
                ? ModernProtocol.isMeant(request.params())
                        || (named && !request.method().equals("initialize"))
                : named;
        return modern ? ModernProtocol.ERA : LegacyProtocol.ERA;
    }

    /**
     * Checks what the era requires of a message besides its method's parameters.
     *
     * @param headers all values of a header
     * @throws RpcException when something is missing or contradicts the message
     */
    void check(RpcMessage message, Function<String, List<String>> headers);

    /** A method's result in this era's format. */
    Object result(String method, Object result);

    /** The HTTP status for an unknown method. */
    int unknownMethodStatus();

    /** The error code for an unknown resource. */
    int noResourceCode();
}
