package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one caller asks for too much of is refused to it, and to nobody else. */
class CallerLimitsTest {
    private final AtomicLong now = new AtomicLong();

    @Test
    void a_caller_gets_its_share_of_every_second_and_two_seconds_worth_at_once() {
        RateLimits allowances = new RateLimits(10, 100, now::get);
        for (int i = 0; i < 20; i++) {
            assertThat(allowances.ask("ann")).isInstanceOf(RateLimits.Answer.Yes.class);
            allowances.done("ann");
        }
        assertThat(allowances.ask("ann")).isEqualTo(new RateLimits.Answer.TooOften(Duration.ofMillis(100)));
        assertThat(allowances.ask("bob")).isInstanceOf(RateLimits.Answer.Yes.class);
        now.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(allowances.ask("ann")).isInstanceOf(RateLimits.Answer.Yes.class);
        assertThat(allowances.ask("ann")).isInstanceOf(RateLimits.Answer.TooOften.class);
    }

    @Test
    void however_many_callers_there_are_those_with_running_calls_are_remembered() {
        RateLimits allowances = new RateLimits(10, 1, now::get);
        assertThat(allowances.ask("busy")).isInstanceOf(RateLimits.Answer.Yes.class);
        for (int i = 0; i < 30_000; i++) {
            allowances.ask("caller " + i);
            allowances.done("caller " + i);
        }
        assertThat(allowances.ask("busy")).isEqualTo(new RateLimits.Answer.TooMany(1));
        allowances.done("busy");
        assertThat(allowances.ask("busy")).isInstanceOf(RateLimits.Answer.Yes.class);
    }

    @Test
    void a_token_that_waits_too_often_at_once_is_told_so_and_others_are_served(@TempDir Path folder)
            throws IOException {
        Config config =
                Config.in(folder, new Settings().put(Setting.CALLS_AT_ONCE, 2L).put(Setting.CALL_RATE, 100L));
        try (Broker broker = Broker.start(config);
                BrokerClient local = new BrokerClient(broker)) {
            String ann = token(local, "ann");
            String bob = token(local, "bob");
            try (BrokerClient asAnn = new BrokerClient(broker.url(), ann);
                    BrokerClient asBob = new BrokerClient(broker.url(), bob)) {
                List<CompletableFuture<BrokerClient.Reply>> waiting = new ArrayList<>();
                waiting.add(asAnn.start("claim_next_work", "holder", "ann/1", "wait_seconds", 20));
                waiting.add(asAnn.start("claim_next_work", "holder", "ann/2", "wait_seconds", 20));
                await().until(() -> asAnn.raw("who", "{}").status() == 503);
                HttpResponse<String> refused = asAnn.raw("who", "{}").raw();
                assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
                assertThat(refused.body()).contains("\"code\":\"busy\"").contains("limits.concurrent_calls");
                assertThat(asBob.call("who").status()).isEqualTo(200);
                assertThat(local.call("who").status()).isEqualTo(200);
                slowReaderHarmsNobody(broker, asBob);
                assertThat(local.call("create_work", "title", "one").status()).isEqualTo(200);
                assertThat(local.call("create_work", "title", "two").status()).isEqualTo(200);
                waiting.forEach(one -> assertThat(one.join().status()).isEqualTo(200));
                assertThat(asAnn.call("who").status())
                        .as("as soon as they are over")
                        .isEqualTo(200);
                assertThat(local.get("/metrics").raw().body())
                        .containsPattern("holdfast_limited_calls_total\\{limit=\"concurrency\"\\} [1-9]");
            }
        }
    }

    /** Only headers are sent: memory is kept for a body from its announcement on. */
    @Test
    void a_token_that_sends_many_large_bodies_slowly_is_told_so_and_others_are_served(@TempDir Path folder)
            throws IOException {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient local = new BrokerClient(broker)) {
            String eve = tokenToRead(local, "eve");
            try (BrokerClient asEve = new BrokerClient(broker.url(), eve);
                    BrokerClient asBob = new BrokerClient(broker.url(), tokenToRead(local, "bob"))) {
                String large = "{\"owner\": \"" + "x".repeat(100_000) + "\"}";
                List<Socket> slow = new ArrayList<>();
                long largest = 30L << 20;
                for (long sent = 0; sent < Runtime.getRuntime().maxMemory(); sent += largest) {
                    slow.add(announcing(broker, eve, largest));
                }
                for (int i = 0; i < 40; i++) { // to fill what is left of its part
                    slow.add(announcing(broker, eve, 1 << 20));
                }
                for (int i = 0; i < 40; i++) {
                    slow.add(announcing(broker, eve, 40_000));
                }
                await().until(() -> asEve.raw("who", large).status() == 503);

                BrokerClient.Reply refused = asEve.raw("who", large);
                assertThat(refused.text("error")).contains("take all the memory there is for them");
                assertThat(refused.raw().headers().firstValue("Retry-After")).hasValue("1");
                assertThat(asEve.call("who").status()).as("a small one").isEqualTo(200);
                assertThat(asBob.raw("who", large).status()).as("unknown field").isEqualTo(400);
                assertThat(local.raw("who", large).status()).isEqualTo(400);

                for (Socket one : slow) {
                    one.close();
                }
                await().untilAsserted(() ->
                        assertThat(asEve.raw("who", large).status()).isEqualTo(400));
            }
        }
    }

    private static Socket announcing(Broker broker, String token, long body) throws IOException {
        URI address = URI.create(broker.url());
        Socket socket = new Socket(address.getHost(), address.getPort());
        socket.getOutputStream()
                .write(("POST /api/v1/who HTTP/1.1\r\nHost: localhost:" + address.getPort()
                                + "\r\nAuthorization: Bearer " + token
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body + "\r\n\r\n{")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void a_token_that_does_not_read_its_long_answers_is_told_so_and_others_are_served(@TempDir Path folder)
            throws IOException {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient local = new BrokerClient(broker)) {
            String eve = tokenToRead(local, "eve");
            String review = local.call(
                            "create_review",
                            "intent",
                            "something long",
                            "diff",
                            "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+" + "x".repeat(9 << 20) + "\n")
                    .text("review_id");
            try (BrokerClient asEve = new BrokerClient(broker.url(), eve);
                    BrokerClient asBob = new BrokerClient(broker.url(), tokenToRead(local, "bob"))) {
                List<Socket> unread = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    unread.add(asking(broker, eve, "get_proposal", "{\"review_id\": \"" + review + "\"}"));
                }
                await().until(() -> asEve.raw("who", "{}").status() == 503);

                assertThat(asEve.raw("who", "{}").text("error")).contains("is still reading 8 long answers");
                assertThat(asEve.raw("claim_next_work", "{}").status())
                        .as("what answers in short is allowed, or refused for its own reasons")
                        .isEqualTo(403);
                assertThat(asBob.call("get_proposal", "review_id", review).status())
                        .isEqualTo(200);
                assertThat(local.call("get_proposal", "review_id", review).status())
                        .isEqualTo(200);

                for (Socket one : unread) {
                    one.close();
                }
                await().untilAsserted(
                                () -> assertThat(asEve.call("who").status()).isEqualTo(200));
            }
        }
    }

    private static Socket asking(Broker broker, String token, String verb, String body) throws IOException {
        URI address = URI.create(broker.url());
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        socket.getOutputStream()
                .write(("POST /api/v1/" + verb + " HTTP/1.1\r\nHost: localhost:" + address.getPort()
                                + "\r\nAuthorization: Bearer " + token
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String tokenToRead(BrokerClient local, String name) {
        return local.call("create_token", "name", name, "roles", List.of("viewer"))
                .text("token");
    }

    @Test
    void whoever_is_not_admitted_is_not_answered_as_often_as_it_likes_either(@TempDir Path folder) {
        Config config = Config.in(
                folder, new Settings().put(Setting.CALL_RATE, 1L).put(Setting.TRUSTED_PROXIES, List.of("127.0.0.2")));
        try (Broker broker = Broker.start(config);
                BrokerClient local = new BrokerClient(broker);
                HttpClient proxy = HttpClient.newBuilder()
                        .localAddress(InetAddress.ofLiteral("127.0.0.2"))
                        .build()) {
            String ann = token(local, "ann");
            for (int i = 0; i < 2; i++) {
                assertThat(afar(proxy, broker, "203.0.113.1", null)).isEqualTo(401);
            }
            await().until(() -> afar(proxy, broker, "203.0.113.1", null) == 503);
            assertThat(afar(proxy, broker, "203.0.113.2", null)).isEqualTo(401);
            assertThat(afar(proxy, broker, "203.0.113.1", ann))
                    .as("a token has a share of its own")
                    .isEqualTo(200);
            assertThat(local.call("who").status()).isEqualTo(200);
            for (int i = 0; i < 2; i++) {
                assertThat(afar(proxy, broker, "2001:db8::" + i, null)).isEqualTo(401);
            }
            await().until(() -> afar(proxy, broker, "2001:db8::5", null) == 503);
        }
    }

    private static int afar(HttpClient proxy, Broker broker, String address, @Nullable String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(broker.url() + "/api/v1/openapi.json"))
                .header("X-Forwarded-For", address);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return proxy.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join()
                .statusCode();
    }

    /** Sends half of a request, and reads nothing. */
    private static void slowReaderHarmsNobody(Broker broker, BrokerClient other) throws IOException {
        URI url = URI.create(broker.url());
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket(url.getHost(), url.getPort());
                socket.getOutputStream()
                        .write(("POST /api/v1/who HTTP/1.1\r\nHost: " + url.getAuthority()
                                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
                                .getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            assertThat(other.call("who").status()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static String token(BrokerClient local, String name) {
        return local.call("create_token", "name", name, "roles", List.of("worker"))
                .text("token");
    }
}
