package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.OnBroker;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventStreamTest extends OnBroker {
    @Test
    void a_subscriber_catches_up_and_then_hears_what_happens() {
        claim("before");
        Listener listener = listen(caller.request("/api/v1/events?after=0"));
        await().until(() -> listener.has("key:before"));
        claim("after");
        await().until(() -> listener.has("key:after"));

        assertThat(listener.lines).contains("event: claimed");
        assertThat(listener.ids()).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void last_event_id_goes_before_what_the_address_says() {
        claim("one");
        claim("two");
        long first = caller.call("get_events", "resource", "key:one")
                .body()
                .path("next_after")
                .asLong();

        Listener listener =
                listen(caller.request("/api/v1/events?after=0").header("Last-Event-ID", Long.toString(first)));

        await().until(() -> listener.has("key:two"));
        assertThat(listener.has("key:one")).isFalse();
    }

    @Test
    void a_newcomer_hears_only_what_is_new_and_where_it_is() {
        claim("before");
        long latest = caller.call("get_events").body().path("next_after").asLong();
        Listener listener = listen(caller.request("/api/v1/events"));
        await().until(() -> !listener.ids().isEmpty());
        claim("after");
        await().until(() -> listener.has("key:after"));

        assertThat(listener.has("key:before")).isFalse();
        assertThat(listener.ids().getFirst()).isGreaterThanOrEqualTo(latest);
    }

    @Test
    void nothing_is_missed_or_told_twice_while_much_happens() {
        List<Listener> listeners = new CopyOnWriteArrayList<>();
        List<CompletableFuture<BrokerClient.Reply>> claims = IntStream.range(0, 400)
                .mapToObj(i -> {
                    if (i % 100 == 50) {
                        listeners.add(listen(caller.request("/api/v1/events?after=0")));
                    }
                    return caller.start("claim", "resource", "key:k" + i, "holder", "me");
                })
                .toList();
        claims.forEach(CompletableFuture::join);

        for (Listener listener : listeners) {
            await().until(() -> listener.count("key:k") >= 400);
            assertThat(listener.count("key:k")).isEqualTo(400);
            assertThat(listener.ids()).doesNotHaveDuplicates().isSorted();
        }
    }

    @Test
    void an_id_that_is_none_is_refused() {
        assertThat(caller.get("/api/v1/events?after=x").status()).isEqualTo(400);
        assertThat(caller.get("/api/v1/events?after=-1").text("error")).contains("after must be the id of an event");
    }

    @Test
    void only_a_subscriber_with_a_token_is_looked_at_between_two_signs_of_life() {
        Duration heartbeat = Duration.ofSeconds(15);
        assertThat(EventStream.patience(heartbeat, null)).isEqualTo(heartbeat);
        assertThat(EventStream.patience(heartbeat, "Bearer x")).isEqualTo(Duration.ofSeconds(1));
        assertThat(EventStream.patience(Duration.ofMillis(100), "Bearer x")).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void streams_end_when_the_broker_stops() {
        Listener listener = listen(caller.request("/api/v1/events?after=0"));
        await().until(() -> !listener.lines.isEmpty());

        broker.close();

        await().until(listener.ended::isDone);
        assertThat(listener.ended).isCompleted();
    }

    private void claim(String key) {
        assertThat(caller.call("claim", "resource", "key:" + key, "holder", "me")
                        .status())
                .isEqualTo(200);
    }

    private Listener listen(HttpRequest.Builder request) {
        return new Listener(caller.http().sendAsync(request.build(), BodyHandlers.ofLines()));
    }

    /** Collects the lines of a stream as they come. */
    private static final class Listener {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> ended;

        Listener(CompletableFuture<HttpResponse<Stream<String>>> response) {
            ended = response.thenAcceptAsync(stream -> stream.body().forEach(lines::add), Thread::startVirtualThread);
        }

        boolean has(String text) {
            return count("\"" + text + "\"") > 0;
        }

        long count(String text) {
            return lines.stream()
                    .filter(line -> line.startsWith("data:") && line.contains(text))
                    .count();
        }

        List<Long> ids() {
            return lines.stream()
                    .filter(line -> line.startsWith("id: "))
                    .map(line -> Long.valueOf(line.substring(4)))
                    .toList();
        }
    }
}
