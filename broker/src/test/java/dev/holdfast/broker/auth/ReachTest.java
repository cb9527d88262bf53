package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.StartException;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A broker that other machines reach, directly or through a proxy at 127.0.0.2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReachTest {
    private static final String PROXY = "127.0.0.2";

    private Broker broker;
    private String token;

    @BeforeAll
    void start(@TempDir Path folder) {
        Settings everywhere = new Settings().put(Setting.HOST, "0.0.0.0").put(Setting.TRUSTED_PROXIES, List.of(PROXY));
        assertThatThrownBy(() -> Broker.start(Config.in(folder, everywhere)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("holdfast token create NAME --role admin");
        try (Broker first = Broker.start(Config.in(folder));
                BrokerClient user = new BrokerClient(first)) {
            token = user.call("create_token", "name", "ann", "roles", List.of("admin"))
                    .text("token");
        }
        broker = Broker.start(Config.in(folder, everywhere));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    /** The head and body of the answer to a call from this address to that one. */
    private String ask(String from, String to, String path, String... headers) throws IOException {
        return send(from, to, "GET " + path, "", headers);
    }

    private String send(String from, String to, String line, String body, String... headers) throws IOException {
        int port = URI.create(broker.url()).getPort();
        String all = Stream.of(headers).map(header -> header + "\r\n").reduce("", String::concat);
        String host = all.contains("Host:") ? "" : "Host: " + to + ":" + port + "\r\n";
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(to, port), 2_000);
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write((line + " HTTP/1.1\r\n" + host + all + "Connection: close\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String bearer() {
        return "Authorization: Bearer " + token;
    }

    private static String status(String answer) {
        return answer.substring(9, 12);
    }

    @Test
    void whoever_calls_from_this_machine_needs_no_token_and_everybody_else_does() throws IOException {
        assertThat(status(ask("127.0.0.1", "127.0.0.1", "/api/v1/openapi.json")))
                .isEqualTo("200");
        Optional<String> address = ownAddress();
        assumeTrue(address.isPresent(), "this machine has no address but loopback");
        assertThat(ask(address.get(), address.get(), "/api/v1/openapi.json"))
                .startsWith("HTTP/1.1 401 ")
                .contains("WWW-Authenticate: Bearer")
                .contains("holdfast token create");
        assertThat(status(ask(address.get(), address.get(), "/healthz"))).isEqualTo("200");
        assertThat(status(ask(address.get(), address.get(), "/api/v1/openapi.json", bearer())))
                .isEqualTo("200");
    }

    private static Optional<String> ownAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof java.net.Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst();
    }

    @Test
    void a_request_that_says_it_was_forwarded_is_not_from_this_machine_whoever_sends_it() throws IOException {
        assertThat(status(ask("127.0.0.1", "127.0.0.1", "/api/v1/openapi.json", "X-Forwarded-For: 127.0.0.1")))
                .as("a proxy that nobody has told the broker of")
                .isEqualTo("401");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", "X-Forwarded-For: 127.0.0.1")))
                .isEqualTo("401");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json"))).isEqualTo("401");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", bearer(), "Host: broker.example.org")))
                .isEqualTo("200");
        assertThat(status(ask("127.0.0.1", "127.0.0.1", "/api/v1/openapi.json", "Host: broker.example.org")))
                .as("from this machine it may be a page whose name now leads here")
                .isEqualTo("421");
    }

    @Test
    void whatever_a_proxy_adds_to_a_request_is_enough_to_need_a_token() throws IOException {
        for (String added : List.of(
                "X-Forwarded-Proto: https",
                "x-forwarded-host: broker.example.org",
                "X-Forwarded-Port: 443",
                "X-Forwarded-Server: proxy",
                "Forwarded: proto=https",
                "Via: 1.1 proxy",
                "X-Real-IP: 127.0.0.1",
                "CF-Connecting-IP: 127.0.0.1")) {
            assertThat(status(ask("127.0.0.1", "127.0.0.1", "/api/v1/openapi.json", added)))
                    .as(added)
                    .isEqualTo("401");
        }
    }

    @Test
    void pages_call_the_broker_they_come_from_and_no_other() throws IOException {
        assertThat(status(ask(
                        PROXY,
                        "127.0.0.1",
                        "/api/v1/openapi.json",
                        bearer(),
                        "Host: broker.example.org",
                        "Origin: https://broker.example.org")))
                .isEqualTo("200");
        assertThat(status(ask(
                        PROXY,
                        "127.0.0.1",
                        "/api/v1/openapi.json",
                        bearer(),
                        "Host: broker.example.org",
                        "Origin: https://evil.example.org")))
                .isEqualTo("403");
    }

    @Test
    void a_browser_that_came_to_the_proxy_by_tls_sends_its_cookie_no_other_way() throws IOException {
        String form = "token=" + token;
        for (String scheme : List.of("https", "http")) {
            String answer = send(
                    PROXY,
                    "127.0.0.1",
                    "POST /sign-in",
                    form,
                    "Host: broker.example.org",
                    "Origin: " + scheme + "://broker.example.org",
                    "Sec-Fetch-Site: same-origin",
                    "X-Forwarded-Proto: " + scheme,
                    "Content-Type: application/x-www-form-urlencoded",
                    "Content-Length: " + form.length());
            assertThat(answer).contains("Set-Cookie: holdfast_session=hfp_").contains("HttpOnly");
            assertThat(answer.contains("Secure")).as(scheme).isEqualTo(scheme.equals("https"));
            String kept = answer.lines()
                    .filter(line -> line.startsWith("Set-Cookie: "))
                    .map(line -> line.substring("Set-Cookie: ".length(), line.indexOf(';')))
                    .findFirst()
                    .orElseThrow();
            String page = ask(
                    PROXY,
                    "127.0.0.1",
                    "/work",
                    "Host: broker.example.org",
                    "X-Forwarded-Proto: " + scheme,
                    "Cookie: " + kept);
            assertThat(page).contains("Set-Cookie: holdfast_page=");
            assertThat(page.contains("; Secure")).as(scheme).isEqualTo(scheme.equals("https"));
        }
    }

    @Test
    void whoever_shows_wrong_tokens_is_slowed_down_and_counted_and_nobody_else_is() throws IOException {
        String guess = "Authorization: Bearer hf_00000000_guess";
        String guesser = "X-Forwarded-For: 198.51.100.1, 203.0.113.9";
        for (int i = 0; i < 5; i++) {
            assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", guess, guesser)))
                    .isEqualTo("401");
        }
        assertThat(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", guess, guesser))
                .startsWith("HTTP/1.1 503 ")
                .contains("Retry-After: 1");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", guess, guesser + ":4711")))
                .as("some proxies say the port too")
                .isEqualTo("503");
        assertThat(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", guess, "X-Forwarded-For: 203.0.113.9, 203.0.113.10"))
                .as("what stands before the last address may be made up")
                .startsWith("HTTP/1.1 401 ");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", bearer(), "X-Forwarded-For: 203.0.113.11")))
                .isEqualTo("200");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", "Authorization: Bearer any", guesser)))
                .as("nor is any other kind of token looked at")
                .isEqualTo("503");
        assertThat(status(ask(PROXY, "127.0.0.1", "/api/v1/openapi.json", bearer(), guesser)))
                .as("who is known by its token is let in from there all the same")
                .isEqualTo("200");
        assertThat(ask("127.0.0.1", "127.0.0.1", "/metrics"))
                .contains("holdfast_refused_tokens_total{reason=\"slowed\"} 3.0")
                .contains("holdfast_refused_tokens_total{reason=\"expired\"} 0.0");
    }
}
