package dev.holdfast.broker.api;

import dev.holdfast.broker.config.CidrBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Keeps clients from holding connections without using them. At most so many are open at a time, in total and from one
 * address; those of this machine do not count. A connection that has no call running must bring the whole header of the
 * next one soon, however many bytes of it arrive meanwhile, and a body must not arrive too slowly.
 */
final class OpenConnections extends Handler.Wrapper {
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** For the body as a whole, and a second more for so many bytes. */
    private static final Duration BODY = Duration.ofSeconds(30);

    private static final long SLOWEST_BYTES = 1_000;

    /**
     * @param inAll how many connections there may be
     * @param ofOneAddress how many of them may come from one address
     * @param first how long a new connection may take for its first header, and for its handshake
     * @param next how long a connection may stay without a call
     */
    record Bounds(int inAll, int ofOneAddress, Duration first, Duration next) {}

    /** What a connection is doing; only its own calls change it. */
    private static final class State {
        private final @Nullable InetAddress counted;
        /** A count, because the next call may begin before the end of the last one was noticed. */
        private final AtomicInteger running = new AtomicInteger();

        private volatile boolean served;
        private volatile long waitsSince;

        State(@Nullable InetAddress counted, long now) {
            this.counted = counted;
            waitsSince = now;
        }
    }

    private final Bounds bounds;
    private final Predicate<InetAddress> uncounted;
    private final Predicate<InetAddress> shared;
    private final Runnable refused;
    private final LongSupplier nanoTime;
    private final Map<EndPoint, State> open = new ConcurrentHashMap<>();
    private final AtomicBoolean watched = new AtomicBoolean();
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();
    private int counted;

    /**
     * @param uncounted whether connections from this address do not count
     * @param shared whether many clients use this address: a proxy's
     * @param refused called for each connection that is one too many
     */
    OpenConnections(
            Bounds bounds,
            Predicate<InetAddress> uncounted,
            Predicate<InetAddress> shared,
            Runnable refused,
            LongSupplier nanoTime) {
        this.bounds = bounds;
        this.uncounted = uncounted;
        this.shared = shared;
        this.refused = refused;
        this.nanoTime = nanoTime;
    }

    /** Creates a connector whose connections are bounded. */
    ServerConnector connector(Server server, ConnectionFactory... protocols) {
        return new ServerConnector(server, protocols) {
            @Override
            protected void onEndPointOpened(EndPoint connection) {
                super.onEndPointOpened(connection);
                opened(connection);
            }

            @Override
            protected void onEndPointClosed(EndPoint connection) {
                closed(connection);
                super.onEndPointClosed(connection);
            }
        };
    }

    /** A client has connected; it is hung up on if it is one too many. */
    private void opened(EndPoint connection) {
        InetAddress from = connection.getRemoteSocketAddress() instanceof InetSocketAddress remote
                        && !uncounted.test(remote.getAddress())
                ? remote.getAddress()
                : null;
        if (from != null && !count(from)) {
            refused.run();
            connection.close();
            return;
        }
        open.put(connection, new State(from == null ? null : CidrBlock.machine(from), nanoTime.getAsLong()));
        watch();
    }

    private synchronized boolean count(InetAddress from) {
        InetAddress machine = CidrBlock.machine(from);
        int before = byAddress.getOrDefault(machine, 0);
        if (counted >= bounds.inAll || (before >= bounds.ofOneAddress && !shared.test(from))) {
            return false;
        }
        counted++;
        byAddress.put(machine, before + 1);
        return true;
    }

    private void closed(EndPoint connection) {
        State state = open.remove(connection);
        if (state == null || state.counted == null) {
            return;
        }
        synchronized (this) {
            counted--;
            byAddress.computeIfPresent(state.counted, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Looks at the open connections every second, as long as there are any. */
    private void watch() {
        if (watched.compareAndSet(false, true)) {
            getServer()
                    .getScheduler()
                    .schedule(
                            () -> {
                                turn();
                                watched.set(false); // first: a connection that opens from here on watches itself
                                if (!open.isEmpty()) {
                                    watch();
                                }
                            },
                            LOOK.toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    /** Hangs up on clients that are too slow. */
    void turn() {
        long now = nanoTime.getAsLong();
        open.forEach((connection, state) -> {
            Duration max = state.served ? bounds.next : bounds.first;
            if (state.running.get() == 0 && now - state.waitsSince > max.toNanos()) {
                connection.close();
            }
        });
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        State state =
                open.get(under(request.getConnectionMetaData().getConnection().getEndPoint()));
        if (state != null) {
            state.running.incrementAndGet();
            state.served = true;
            Request.addCompletionListener(request, _ -> {
                state.waitsSince = nanoTime.getAsLong();
                state.running.decrementAndGet();
            });
        }
        return super.handle(new Timely(request), response, callback);
    }

    /** With TLS, a request knows the encrypted end of a connection only. */
    private static EndPoint under(EndPoint connection) {
        return connection instanceof EndPoint.Wrapper wrapper ? under(wrapper.unwrap()) : connection;
    }

    /** A request whose body must not arrive too slowly; silence is ended by the connection's idle timeout. */
    private final class Timely extends Request.Wrapper {
        private final long since = nanoTime.getAsLong();
        private long bytes;

        Timely(Request request) {
            super(request);
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return chunk;
            }
            bytes += chunk.remaining();
            Duration max = BODY.plusSeconds(bytes / SLOWEST_BYTES);
            if (chunk.isLast() || nanoTime.getAsLong() - since <= max.toNanos()) {
                return chunk;
            }
            chunk.release();
            Throwable slow = new HttpException.RuntimeException(
                    HttpStatus.REQUEST_TIMEOUT_408, "the request body arrived too slowly");
            fail(slow);
            return Content.Chunk.from(slow);
        }
    }
}
