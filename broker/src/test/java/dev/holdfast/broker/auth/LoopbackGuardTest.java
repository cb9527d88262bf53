package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackGuardTest {
    @TempDir
    static Path folder;

    static Broker broker;
    static URI url;

    @BeforeAll
    static void start() {
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
        url = URI.create(broker.url());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT", "127.0.0.9:PORT"})
    void our_own_names_are_answered(String host) throws IOException {
        assertThat(answer("Host: " + host)).startsWith("HTTP/1.1 200 ");
        assertThat(answer("Host: " + host + "\r\nOrigin: http://" + host)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:PORT",
                "localhost",
                "localhost:1",
                "localhost.evil.example:PORT",
                "127.0.0.1.evil.example:PORT",
                "10.0.0.1:PORT",
                "evil.example"
            })
    void a_request_for_another_host_is_turned_away(String host) throws IOException {
        assertThat(answer("Host: " + host))
                .startsWith("HTTP/1.1 421 ")
                .contains("\"code\":\"forbidden\"", host.replace("PORT", Integer.toString(url.getPort())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "https://localhost:PORT",
                "http://localhost:1",
                "http://localhost:PORT.evil.example",
                "null"
            })
    void a_page_of_another_site_is_turned_away(String origin) throws IOException {
        assertThat(answer("Host: localhost:PORT\r\nOrigin: " + origin))
                .startsWith("HTTP/1.1 403 ")
                .contains("may not call this broker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v1/openapi.json", "/api/v1/events", "/metrics", "/readyz", "/mcp", "/mcp/all", "/nowhere"})
    void every_door_is_guarded(String path) throws IOException {
        assertThat(answer(path, "Host: evil.example")).startsWith("HTTP/1.1 421 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void a_page_of_another_site_may_link_here_and_load_nothing(String site) throws IOException {
        String from = "Host: localhost:PORT\r\nSec-Fetch-Site: " + site;
        assertThat(answer("/events?re=a", from + "\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image"))
                .startsWith("HTTP/1.1 403 ")
                .contains("may only link");
        assertThat(answer("/events", from + "\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(answer("/events", from + "\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void no_header_changes_the_method() throws IOException {
        assertThat(answer("/api/v1/who", "Host: localhost:PORT\r\nX-HTTP-Method-Override: POST"))
                .startsWith("HTTP/1.1 400 ")
                .contains("send the method itself");
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data; boundary=x", "application/x-www-form-urlencoded; charset=nope"})
    void a_body_that_cannot_be_read_is_refused(String type) throws Exception {
        assertThat(post("/sign-in", type)).isEqualTo(415);
        assertThat(post("/api/v1/who", "application/json; charset=nope")).isEqualTo(415);
    }

    private static int post(String path, String type) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(url.resolve(path))
                                    .header("Content-Type", type)
                                    .POST(HttpRequest.BodyPublishers.ofString("token=a"))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static String answer(String headers) throws IOException {
        return answer("/healthz", headers);
    }

    private static String answer(String path, String headers) throws IOException {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            String request = "GET " + path + " HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream()
                    .write(request.replace("PORT", Integer.toString(url.getPort()))
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
