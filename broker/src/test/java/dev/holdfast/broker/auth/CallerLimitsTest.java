package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
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
                Caller local = new Caller(broker)) {
            String ann = token(local, "ann");
            String bob = token(local, "bob");
            try (Caller asAnn = new Caller(broker.url(), ann);
                    Caller asBob = new Caller(broker.url(), bob)) {
                List<CompletableFuture<Caller.Reply>> waiting = new ArrayList<>();
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

    @Test
    void whoever_is_not_admitted_is_not_answered_as_often_as_it_likes_either(@TempDir Path folder) {
        Config config = Config.in(
                folder, new Settings().put(Setting.CALL_RATE, 1L).put(Setting.TRUSTED_PROXIES, List.of("127.0.0.2")));
        try (Broker broker = Broker.start(config);
                Caller local = new Caller(broker);
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
    private static void slowReaderHarmsNobody(Broker broker, Caller other) throws IOException {
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

    private static String token(Caller local, String name) {
        return local.call("create_token", "name", name, "roles", List.of("worker"))
                .text("token");
    }
}
