package dev.holdfast.broker.api;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.broker.auth.TokenGuard;
import dev.holdfast.broker.process.PeerProcesses;
import dev.holdfast.broker.verb.Origin;
import io.javalin.http.Context;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/** Finds where requests come from. The processes behind a connection are looked up once, on first use. */
public final class Origins {
    private static final String ENCODED = "UTF-8''";

    /** By connection; entries disappear with it. */
    private final Map<EndPoint, List<AgentProcess>> found = Collections.synchronizedMap(new WeakHashMap<>());

    private final PeerProcesses peers;

    public Origins(PeerProcesses peers) {
        this.peers = peers;
    }

    public Origin of(Context request) {
        EndPoint connection = Peer.of(request.req()).connection();
        return new Origin(
                request.header("Authorization"),
                name(request.header("Holdfast-Agent")),
                name(request.header("Holdfast-Person")),
                request.header("Holdfast-Space"),
                request.header("Holdfast-Repository"),
                request.attribute(TokenGuard.LOCAL) != null,
                () -> processes(connection));
    }

    /** Names with non-ASCII characters are encoded as in RFC 8187. */
    private static @Nullable String name(@Nullable String header) {
        if (header == null || !header.startsWith(ENCODED)) {
            return header;
        }
        try {
            return URLDecoder.decode(header.substring(ENCODED.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return header;
        }
    }

    private List<AgentProcess> processes(EndPoint connection) {
        List<AgentProcess> known = found.get(connection);
        if (known != null) {
            return known;
        }
        if (!(connection.getRemoteSocketAddress() instanceof InetSocketAddress caller)
                || !(connection.getLocalSocketAddress() instanceof InetSocketAddress here)) {
            return List.of();
        }
        List<AgentProcess> processes = peers.of(caller, here);
        if (!processes.isEmpty()) {
            found.put(connection, processes);
        }
        return processes;
    }
}
