package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that connect and ask for nothing, or as slowly as they can. */
@Timeout(60)
class OpenConnectionsTest {
    private static final Duration FIRST = Duration.ofSeconds(20);
    private static final Duration NEXT = Duration.ofSeconds(75);
    private static final String CALL = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String BODY = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n";

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private final OpenConnections connections = new OpenConnections(
            new OpenConnections.Bounds(3, 2, FIRST, NEXT),
            address -> address.getHostAddress().equals("127.0.0.1"),
            address -> address.getHostAddress().equals("127.0.0.9"),
            refused::incrementAndGet,
            now::get);
    private Server server;
    private ServerConnector plain;
    private ServerConnector encrypted;
    private TlsFiles tls;

    @BeforeEach
    void start() throws Exception {
        tls = new TlsFiles(new Config.Tls(TlsTest.PEM.resolve("first.cert.pem"), TlsTest.PEM.resolve("first.key.pem")));
        server = new Server();
        plain = connections.connector(server, new HttpConnectionFactory());
        HttpConfiguration secure = new HttpConfiguration();
        secure.addCustomizer(new SecureRequestCustomizer(false));
        encrypted = connections.connector(
                server,
                new SslConnectionFactory(tls.context(), HttpVersion.HTTP_1_1.asString()),
                new HttpConnectionFactory(secure));
        for (ServerConnector connector : List.of(plain, encrypted)) {
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
        }
        connections.setHandler(new Echo());
        server.setHandler(connections);
        server.start();
    }

    /** Gives back the body; a call of /wait is answered when the test says so. */
    private final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            called.countDown();
            if (request.getHttpURI().getPath().equals("/wait")) {
                answered.await();
            }
            String body = Content.Source.asString(request);
            response.write(true, ByteBuffer.wrap(("got " + body).getBytes(StandardCharsets.UTF_8)), callback);
            return true;
        }
    }

    @AfterEach
    void stop() throws Exception {
        answered.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop();
        tls.close();
    }

    private Socket connect(String from) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", plain.getLocalPort()), 5_000);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static boolean isServed(Socket socket) throws IOException {
        try {
            send(socket, CALL);
            return answer(socket).startsWith("HTTP/1.1 200");
        } catch (SocketException hungUp) {
            return false;
        }
    }

    /** As far as it has come; empty: the other side has hung up. */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] some = new byte[10_000];
        int length = in.read(some);
        return length < 0 ? "" : new String(some, 0, length, StandardCharsets.US_ASCII);
    }

    /** Lets time pass, second by second, until the other side has hung up; returns for how long it has not. */
    private Duration untilHungUp(Socket socket, String sentEachSecond) throws IOException {
        long before = now.get();
        socket.setSoTimeout(20);
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            pass(Duration.ofSeconds(1));
            try {
                send(socket, sentEachSecond);
                return answer(socket).isEmpty();
            } catch (SocketTimeoutException _) {
                return false;
            } catch (SocketException reset) {
                return true;
            }
        });
        return Duration.ofNanos(now.get() - before);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
        connections.turn();
    }

    @Test
    void one_address_has_its_share_of_connections_and_all_together_have_theirs() throws IOException {
        Socket first = connect("127.0.0.2");
        assertThat(isServed(first)).isTrue();
        assertThat(isServed(connect("127.0.0.2"))).isTrue();
        assertThat(isServed(connect("127.0.0.2"))).as("one too many of it").isFalse();
        assertThat(isServed(connect("127.0.0.3"))).isTrue();
        assertThat(isServed(connect("127.0.0.4"))).as("one too many in all").isFalse();
        assertThat(isServed(connect("127.0.0.1"))).as("uncounted").isTrue();
        assertThat(refused).hasValue(2);
        first.close();
        await().until(() -> isServed(connect("127.0.0.4")));
    }

    @Test
    void a_proxy_has_as_many_as_there_are() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(isServed(connect("127.0.0.9"))).isTrue();
        }
        assertThat(isServed(connect("127.0.0.9"))).isFalse();
    }

    @Test
    void who_connects_and_says_nothing_is_hung_up_on() throws IOException {
        Socket silent = connect("127.0.0.2");
        Socket other = connect("127.0.0.2");
        assertThat(isServed(other)).isTrue();
        assertThat(untilHungUp(silent, "")).isGreaterThan(FIRST);
        assertThat(isServed(other)).as("it may be quiet between two calls").isTrue();
        assertThat(untilHungUp(other, "")).as("but not for ever").isGreaterThan(NEXT);
    }

    @Test
    void a_header_that_comes_byte_by_byte_is_not_waited_for() throws IOException {
        Socket slow = connect("127.0.0.2");
        send(slow, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        assertThat(untilHungUp(slow, "x")).isGreaterThan(FIRST);
        Socket later = connect("127.0.0.2");
        assertThat(isServed(later)).isTrue();
        send(later, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        assertThat(untilHungUp(later, "x")).as("nor that of a later call").isGreaterThan(NEXT);
    }

    @Test
    void a_body_that_comes_byte_by_byte_is_not_waited_for() throws Exception {
        Socket slow = connect("127.0.0.2");
        send(slow, BODY + "abcdef");
        called.await();
        pass(Duration.ofSeconds(29));
        send(slow, "gh");
        pass(Duration.ofSeconds(2));
        send(slow, "i");
        assertThat(answer(slow)).startsWith("HTTP/1.1 408").contains("Connection: close");
        Socket fine = connect("127.0.0.2");
        send(fine, BODY + "abcdefghijkl");
        assertThat(answer(fine)).startsWith("HTTP/1.1 200").contains("got abcdefghijkl");
    }

    @Test
    void a_call_may_wait_for_its_answer_also_with_tls() throws Exception {
        try (Socket socket = trusting()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), encrypted.getLocalPort())) {
            send(socket, "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            called.await();
            pass(NEXT.multipliedBy(2));
            answered.countDown();
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
            assertThat(untilHungUp(socket, "")).isGreaterThan(NEXT);
        }
    }

    @Test
    void a_handshake_that_is_not_finished_is_not_waited_for() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), encrypted.getLocalPort())) {
            socket.getOutputStream().write(new byte[] {0x16, 3, 1});
            assertThat(untilHungUp(socket, "")).isGreaterThan(FIRST);
        }
    }

    private static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                new TrustManager[] {
                    new X509TrustManager() {
                        @Override
                        public void checkClientTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public void checkServerTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return new X509Certificate[0];
                        }
                    }
                },
                null);
        return context;
    }
}
