package dev.holdfast.broker.api;

import dev.holdfast.broker.auth.CallerLimits;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.auth.LoopbackGuard;
import dev.holdfast.broker.auth.MemoryShares;
import dev.holdfast.broker.auth.TokenGuard;
import dev.holdfast.broker.config.CidrBlock;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.store.Store;
import dev.holdfast.token.Tokens;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The broker's HTTP server: verbs, their description, events, health and metrics. */
public final class ApiServer implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    static final String API = "/api/v1/";
    private static final Duration STREAM_HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration LAST_CALLS = Duration.ofSeconds(5);
    /** Longer than any wait: a caller that waits is silent, not gone. */
    private static final Duration IDLE = Duration.ofSeconds(75);
    /** For the handshake and the header of a new connection's first call. */
    private static final Duration FIRST_CALL = Duration.ofSeconds(20);
    /** Browsers keep idle connections open; a stopping broker does not wait for them. */
    private static final Duration KEPT_OPEN = Duration.ofMillis(100);

    /** Further endpoints at the same address. */
    public interface Endpoints {
        void register(RoutesConfig routes);

        /** Shows a person that there is no such page. False: these endpoints have no pages, or a program is asking. */
        default boolean showsMissing(Context request) {
            return false;
        }

        /** Shows a person that the request failed; false as above. */
        default boolean showsTrouble(Context request, Answer answer) {
            return false;
        }
    }

    private final List<Verb> verbs;
    private final Callers callers;
    private final Origins origins;
    private final List<Endpoints> endpoints;
    private final Meters meters;
    private final RequestBody body;
    private final EventStream stream;
    private final Health health;
    private final String host;
    private final boolean reachable;
    private final List<CidrBlock> proxies;
    private final @Nullable TlsFiles tls;
    private final ServerSocketChannel socket;
    /** For callers on this machine only; null: the main socket serves them. */
    private final @Nullable ServerSocketChannel inside;

    private final TokenGuard tokens;
    private final OpenConnections connections;
    private final String url;
    private final Javalin javalin;
    private byte @Nullable [] document;

    /**
     * Starts listening.
     *
     * @throws IOException when it cannot listen on the address
     * @throws UncheckedIOException when the token of the broker's user cannot be stored
     */
    public ApiServer(
            Config config,
            List<Verb> verbs,
            Callers callers,
            Origins origins,
            Claims claims,
            Store store,
            Meters meters,
            Tokens team,
            List<Endpoints> endpoints)
            throws IOException {
        this.verbs = verbs;
        this.callers = callers;
        this.origins = origins;
        this.endpoints = endpoints;
        this.meters = meters;
        body = new RequestBody(config.limits().bodyBytes());
        stream = new EventStream(claims.tail(), STREAM_HEARTBEAT, callers::mayContinue);
        health = new Health(store);
        host = config.server().host();
        reachable = config.server().reachable();
        proxies = config.server().trustedProxies();
        connections = new OpenConnections(
                new OpenConnections.Bounds(
                        config.limits().connections(), config.limits().connectionsPerAddress(), FIRST_CALL, IDLE),
                InetAddress::isLoopbackAddress,
                address -> proxies.stream().anyMatch(proxy -> proxy.contains(address)),
                () -> meters.limited(Meters.Limited.CONNECTIONS),
                System::nanoTime);
        Config.Tls pem = config.server().tls();
        tls = pem == null ? null : tls(pem);
        socket = ServerSocketChannel.open();
        inside = reachable || tls != null ? ServerSocketChannel.open() : null;
        try {
            if (inside != null) {
                inside.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            }
            socket.bind(
                    new InetSocketAddress(
                            config.server().host(), config.server().port()),
                    1_024);
            InetSocketAddress listening = (InetSocketAddress) socket.getLocalAddress();
            url = (tls == null ? "http://" : "https://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                    + listening.getPort();
            tokens = TokenGuard.at(
                    config.server(),
                    fromHere(listening),
                    callers::knows,
                    team,
                    meters,
                    new CallerLimits(config, meters));
            javalin = Javalin.create(this::configure).start();
        } catch (IOException | RuntimeException e) {
            socket.close();
            if (inside != null) {
                inside.close();
            }
            if (tls != null) {
                tls.close();
            }
            throw e;
        }
    }

    /**
     * The address for the broker's own reviewers: a local port, so that they need not know the host name in the
     * broker's certificate.
     */
    public String insideUrl() {
        try {
            return inside == null
                    ? url
                    : "http://127.0.0.1:" + ((InetSocketAddress) inside.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TlsFiles tls(Config.Tls pem) {
        try {
            return new TlsFiles(pem);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot serve TLS: " + e.getMessage(), e);
        }
    }

    /** The address at which programs on this machine reach the broker. */
    private static InetSocketAddress fromHere(InetSocketAddress listening) {
        return listening.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress("127.0.0.1", listening.getPort())
                : listening;
    }

    /** The broker's address. */
    public String url() {
        return url;
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.prefer405over404 = true;
        config.router.ignoreTrailingSlashes = false; // the guards remove them, so that all components see the same path
        config.jetty.modifyServer(this::configure);
        config.jetty.addConnector((server, http) -> connector(server, http, socket, tls));
        if (inside != null) {
            config.jetty.addConnector((server, http) -> connector(server, http, inside, null));
        }
        routes(config.routes);
    }

    private void configure(Server server) {
        server.setStopTimeout(LAST_CALLS.toMillis());
        server.setErrorHandler(new PlainErrors());
        // it looks every second whether threads run short, which virtual ones cannot
        server.getBeans(LowResourceMonitor.class).forEach(server::removeBean);
        LoopbackGuard first = new LoopbackGuard(host, reachable, proxies);
        first.setHandler(tokens);
        connections.setHandler(first);
        server.setHandler(new GracefulHandler(connections));
    }

    private Connector connector(
            Server server, HttpConfiguration http, ServerSocketChannel listening, @Nullable TlsFiles tls) {
        http.setSendServerVersion(false);
        http.setHeaderCacheSize(0); // the cache takes 100 kB per connection, and thousands of callers may wait
        ServerConnector connector;
        if (tls == null) {
            connector = connections.connector(server, new HttpConnectionFactory(http));
        } else {
            HttpConfiguration secure = new HttpConfiguration(http);
            // callers may use a host name that is not in the certificate; checking it is up to them
            secure.addCustomizer(new SecureRequestCustomizer(false));
            connector = connections.connector(
                    server,
                    new SslConnectionFactory(tls.context(), HttpVersion.HTTP_1_1.asString()),
                    new HttpConnectionFactory(secure));
        }
        connector.setIdleTimeout(IDLE.toMillis());
        connector.setShutdownIdleTimeout(KEPT_OPEN.toMillis());
        try {
            connector.open(listening);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return connector;
    }

    /** The router compares a path with one route after the other, so MCP's few come before the many verbs. */
    private void routes(RoutesConfig routes) {
        endpoints.forEach(endpoint -> endpoint.register(routes));
        for (Verb verb : verbs) {
            routes.post(API + verb.name(), timed(Endpoint.API, request -> call(verb, request)));
        }
        routes.get(
                API + "openapi.json",
                timed(Endpoint.OPENAPI, request -> Replies.write(request, 200, Replies.JSON, document())));
        routes.get(API + "caller", timed(Endpoint.API, this::caller));
        routes.get(API + "events", timed(Endpoint.EVENTS, this::events));
        routes.get(
                "/healthz",
                timed(Endpoint.HEALTH, request -> Replies.send(request, Answer.of(Map.of("status", "alive")))));
        routes.get("/readyz", timed(Endpoint.HEALTH, this::ready));
        routes.get("/metrics", timed(Endpoint.METRICS, this::scrape));
        new ErrorResponses(verbs, endpoints).register(routes);
    }

    /** Created at the first request. */
    private synchronized byte[] document() {
        if (document == null) {
            document = MAPPER.writeValueAsBytes(OpenApi.of(verbs, url));
        }
        return document;
    }

    private Handler timed(Endpoint endpoint, Handler handler) {
        return request -> {
            long start = System.nanoTime();
            if (health.isLeaving()) {
                request.header("Connection", "close");
            }
            try {
                handler.handle(request);
            } finally {
                meters.answered(endpoint, System.nanoTime() - start);
            }
        };
    }

    private void call(Verb verb, Context request) throws IOException {
        Origin origin = origins.of(request);
        JsonNode given = body.read(request.req());
        if (verb.mayAnswerMuch()) {
            MemoryShares.of(request.req()).takeAnswer();
        }
        Answer answer = callers.call(verb, given, origin);
        String notice = origin.notice();
        if (notice != null) {
            request.header("Holdfast-Notice", sendable(notice));
        }
        String repository = origin.repositoryKey();
        if (repository != null) {
            request.header("Holdfast-Repository", sendable(repository));
        }
        Replies.send(request, answer);
    }

    /** Encodes text for a header: as in RFC 8187 if it has non-ASCII characters. */
    private static String sendable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 127)
                ? text
                : "UTF-8''" + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Answers which agent the caller is, by its session's process; for command lines that do not say. */
    private void caller(Context request) {
        Map<String, @Nullable Object> known = new HashMap<>();
        Origin origin = origins.of(request);
        callers.session(origin).ifPresent(agent -> known.put("agent", agent));
        callers.tokenName(origin).ifPresent(name -> known.put("token", name));
        Replies.send(request, Answer.of(known));
    }

    private void events(Context request) throws IOException {
        callers.mayReadAll(request.header("Authorization"));
        stream.serve(request);
    }

    private void ready(Context request) {
        Replies.send(
                request,
                health.trouble()
                        .map(trouble -> Answer.refused(RefusalCode.BUSY, "not ready: " + trouble))
                        .orElseGet(() -> Answer.of(Map.of("status", "ready"))));
    }

    private void scrape(Context request) throws IOException {
        byte[] text = meters.registry().scrape().getBytes(StandardCharsets.UTF_8);
        Replies.write(request, 200, "text/plain; version=0.0.4; charset=utf-8", text);
    }

    /** Announces that it is stopping but keeps answering; asks clients with open connections to reconnect. */
    public void leave() {
        health.leave();
    }

    /** Finishes running calls and accepts no new ones. */
    @Override
    public void close() {
        stream.close();
        javalin.stop();
        if (tls != null) {
            tls.close();
        }
        tokens.forget();
    }
}
