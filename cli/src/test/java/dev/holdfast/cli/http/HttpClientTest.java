package dev.holdfast.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(200);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nh\u00e9llo!and more",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: CHUNKED\r\n\r\n3\r\nh\u00e9\r\n4;x=y\r\nllo!\r\n0\r\nTrailer: x\r\n\r\n",
                "HTTP/1.1 200\r\n\r\nh\u00e9llo!",
                "HTTP/1.0 200 OK\nContent-Length: 7\n\nh\u00e9llo!",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length:7\r\n\r\nh\u00e9llo!"
            })
    void answers_are_read_however_they_are_framed(String answer) throws IOException {
        try (OddServer server = OddServer.saying(answer)) {
            HttpAnswer read = server.client().post("/x", new byte[0], PATIENCE);

            assertThat(read.status()).isEqualTo(200);
            assertThat(new String(read.body(), UTF_8)).isEqualTo("h\u00e9llo!");
        }
    }

    @Test
    void chunks_that_arrive_byte_by_byte_are_put_together() throws IOException {
        byte[] answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".getBytes(UTF_8);
        try (OddServer server = new OddServer(socket -> {
            socket.setTcpNoDelay(true);
            for (byte one : answer) {
                socket.getOutputStream().write(one);
            }
        })) {
            assertThat(server.client().get("/x", PATIENCE).body())
                    .asString(UTF_8)
                    .isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n"
            })
    void an_answer_that_breaks_off_is_no_answer(String answer) throws IOException {
        assertThat(failure(OddServer.saying(answer), PATIENCE)).isEqualTo(Kind.NO_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"
            })
    void what_is_not_http_is_told_so(String answer) throws IOException {
        assertThat(failure(OddServer.saying(answer), PATIENCE)).isEqualTo(Kind.NOT_HTTP);
    }

    @Test
    void an_endless_head_is_given_up() throws IOException {
        assertThat(failure(new OddServer(socket -> endless(socket.getOutputStream(), "x")), PATIENCE))
                .isEqualTo(Kind.NOT_HTTP);
        assertThat(failure(
                        new OddServer(socket -> {
                            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
                            endless(socket.getOutputStream(), "a: b\r\n");
                        }),
                        PATIENCE))
                .isEqualTo(Kind.NOT_HTTP);
    }

    @Test
    void a_silent_server_is_given_up_when_the_time_is_over() throws IOException {
        assertThat(failure(new OddServer(socket -> socket.getInputStream().read()), SHORT))
                .isEqualTo(Kind.NO_ANSWER);
    }

    @Test
    void a_server_that_drips_does_not_get_more_time() throws IOException {
        OddServer[] dripping = new OddServer[1];
        dripping[0] = new OddServer(socket -> {
            OutputStream out = socket.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(UTF_8));
            while (!dripping[0].closing.await(10, TimeUnit.MILLISECONDS)) {
                out.write('x');
            }
        });

        assertThat(failure(dripping[0], SHORT)).isEqualTo(Kind.NO_ANSWER);
    }

    @Test
    void nobody_listening_is_told_at_once() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        HttpClient client = new HttpClient(new Address("127.0.0.1", free, ""));

        HttpFailure failure = catchThrowableOfType(HttpFailure.class, () -> client.get("/x", PATIENCE));

        assertThat(failure.kind()).isEqualTo(Kind.NO_CONNECTION);
    }

    @Test
    void localhost_finds_a_broker_on_either_loopback() throws IOException {
        for (String address : new String[] {"127.0.0.1", "::1"}) {
            OddServer server;
            try {
                server = new OddServer(
                        InetAddress.getByName(address),
                        socket -> socket.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8)));
            } catch (IOException noIpv6) {
                Assumptions.abort("this machine has no " + address);
                return;
            }
            try (server) {
                String host = address.equals("::1") ? "[::1]" : "localhost";
                HttpClient client = new HttpClient(Address.parse("http://" + host + ":" + server.port()));

                assertThat(client.get("/x", PATIENCE).status()).isEqualTo(200);
                assertThat(server.request()).contains("Host: " + host + ":" + server.port() + "\r\n");
            }
        }
    }

    @Test
    void the_request_says_all_that_a_broker_needs() throws IOException {
        try (OddServer server = OddServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
            Address address = Address.parse("http://127.0.0.1:" + server.port() + "/prefix/");
            new HttpClient(address, _ -> "secret", Map.of())
                    .post("/api/v1/claim", "{\"a\":\"\u00e9\"}".getBytes(UTF_8), PATIENCE);

            assertThat(server.request())
                    .startsWith("POST /prefix/api/v1/claim HTTP/1.1\r\n")
                    .contains(
                            "Authorization: Bearer secret\r\n",
                            "Content-Type: application/json\r\n",
                            "Content-Length: 10\r\n",
                            "Connection: close\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://a", "127.0.0.1:8321", "http://", "http://u:p@h", "http://h/?q", "http://a b"})
    void urls_that_cannot_work_are_refused(String url) {
        assertThatThrownBy(() -> Address.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void urls_may_have_ipv6_hosts_and_paths() {
        assertThat(Address.parse("http://[::1]:8321/a/")).isEqualTo(new Address("::1", 8321, "/a"));
        assertThat(Address.parse("HTTP://localhost")).isEqualTo(new Address("localhost", 80, ""));
    }

    @Test
    void events_are_read_one_by_one_and_tell_where_to_go_on() throws IOException {
        String events =
                "id: 4\n\n: alive\n\nid: 5\nevent: claimed\ndata: {\"a\":1}\n\ndata:x\ndata: y\nid:6\n\nid: 7\ndata: brok";
        try (OddServer server =
                        OddServer.saying("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + events);
                EventStream stream = server.client().events("/e", "3", PATIENCE)) {
            assertThat(stream.next()).isEqualTo("{\"a\":1}");
            assertThat(stream.lastId()).isEqualTo("5");
            assertThat(stream.next()).isEqualTo("x\ny");
            assertThatThrownBy(stream::next).isInstanceOf(HttpFailure.class);
            assertThat(stream.lastId()).as("the last whole one").isEqualTo("6");
            assertThat(server.request()).contains("Last-Event-ID: 3\r\n");
        }
    }

    @Test
    void a_stream_that_is_silent_too_long_is_given_up() throws IOException {
        try (OddServer server = new OddServer(socket -> {
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nid: 9\n\n".getBytes(UTF_8));
                    socket.getInputStream().read();
                });
                EventStream stream = server.client().events("/e", null, SHORT)) {
            assertThatThrownBy(stream::next).isInstanceOf(HttpFailure.class);
            assertThat(stream.lastId()).isEqualTo("9");
        }
    }

    private static Kind failure(OddServer server, Duration patience) throws IOException {
        try (server) {
            return catchThrowableOfType(HttpFailure.class, () -> server.client().get("/x", patience))
                    .kind();
        }
    }

    private static void endless(OutputStream out, String text) throws IOException {
        byte[] bytes = text.repeat(1000).getBytes(UTF_8);
        while (true) {
            out.write(bytes);
        }
    }
}
