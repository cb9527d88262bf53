package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.Resource;
import dev.holdfast.testing.SettableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a broker promises over HTTP, whatever it keeps its data in. */
abstract class BrokerContract extends OnBroker {
    @Test
    void a_body_of_very_many_small_values_is_refused_before_it_fills_the_memory() {
        Reply reply = caller.raw("claim", "[" + "[],".repeat(500_000) + "[]]");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("error")).contains("the body cannot be read: Token count (1000001)");
    }

    @Test
    void of_two_hundred_claims_at_once_one_is_granted_and_all_others_name_its_holder() {
        List<CompletableFuture<Reply>> calls = IntStream.range(0, 200)
                .mapToObj(i -> caller.start("claim", "resource", "key:one", "holder", "agent-" + i))
                .toList();

        List<Reply> replies = calls.stream().map(CompletableFuture::join).toList();

        List<Reply> granted =
                replies.stream().filter(reply -> reply.status() == 200).toList();
        assertThat(granted).hasSize(1);
        assertThat(replies.stream().filter(reply -> reply.status() == 409))
                .hasSize(199)
                .allSatisfy(reply -> {
                    assertThat(reply.text("code")).isEqualTo("held");
                    assertThat(reply.text("holder"))
                            .isEqualTo(granted.getFirst().text("holder"));
                });
    }

    @Test
    void a_waiting_claim_is_granted_as_soon_as_another_client_lets_go() {
        Reply held = caller.call("claim", "resource", "key:one", "holder", "first");
        CompletableFuture<Reply> waiting =
                caller.start("claim", "resource", "key:one", "holder", "second", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 1);

        release("key:one", "first", held.generation(), "note", "half done");
        Reply granted = waiting.join();

        assertThat(granted.status()).isEqualTo(200);
        assertThat(granted.generation()).isGreaterThan(held.generation());
        assertThat(granted.text("note")).isEqualTo("half done");
    }

    @Test
    void of_fifty_who_wait_one_release_grants_one() {
        Reply held = caller.call("claim", "resource", "key:one", "holder", "first");
        List<CompletableFuture<Reply>> waiting = IntStream.range(0, 50)
                .mapToObj(i -> caller.start("claim", "resource", "key:one", "holder", "agent-" + i, "wait_seconds", 30))
                .toList();
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 50);

        release("key:one", "first", held.generation());
        Reply granted = (Reply) CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                .join();

        assertThat(granted.status()).isEqualTo(200);
        await().during(Duration.ofMillis(200))
                .until(() -> waiting.stream().filter(CompletableFuture::isDone).count() == 1);
        assertThat(eventTypes("key:one")).containsExactly("claimed", "released", "claimed");
    }

    @Test
    void hundreds_may_wait_without_holding_anybody_up() {
        caller.call("claim", "resource", "key:one", "holder", "first");
        for (int i = 0; i < 400; i++) {
            var _ = caller.start("claim", "resource", "key:one", "holder", "agent-" + i, "wait_seconds", 50);
        }
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 400);

        assertThat(caller.call("claim", "resource", "key:two", "holder", "first")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void claim_next_waits_for_something_to_come_and_says_null_when_nothing_does() {
        assertThat(caller.call("claim_next", "kind", "work", "holder", "me")
                        .body()
                        .get("resource")
                        .isNull())
                .isTrue();
        CompletableFuture<Reply> waiting =
                caller.start("claim_next", "kind", "work", "holder", "me", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Kind.WORK) == 1);

        broker.claims().create(NewResource.of(new Resource(Kind.WORK, "42")));

        assertThat(waiting.join().text("resource")).isEqualTo("work:42");
    }

    @Test
    void who_lost_its_claim_is_refused_and_told_once() {
        try (SettableClock clock = restartOnSettableClock(settings())) {
            whoLostItsClaimIsRefusedAndToldOnce(clock);
        }
    }

    private void whoLostItsClaimIsRefusedAndToldOnce(SettableClock clock) {
        Reply first = caller.call("claim", "resource", "key:one", "holder", "first", "ttl_seconds", 1);
        CompletableFuture<Reply> waiting =
                caller.start("claim", "resource", "key:one", "holder", "second", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 1);
        clock.advance(Duration.ofSeconds(1));
        Reply second = waiting.join();

        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(second.body().at("/displaced/holder").asString()).isEqualTo("first");
        Reply beat = caller.call(
                "heartbeat", "resource", "key:one", "holder", "first", "claim_generation", first.generation());
        assertThat(beat.status()).isEqualTo(412);
        assertThat(beat.text("code")).isEqualTo("lost");
        Reply release = caller.call(
                "release", "resource", "key:one", "holder", "first", "claim_generation", first.generation());
        assertThat(release.status()).isEqualTo(412);
        assertThat(release.text("code")).isEqualTo("lost");

        JsonNode lost = caller.call("heartbeat", "holder", "first").body().path("lost");
        assertThat(lost).hasSize(1);
        assertThat(lost.get(0).path("resource").asString()).isEqualTo("key:one");
        await().until(() ->
                caller.call("heartbeat", "holder", "first").body().path("lost").isEmpty());
    }

    @Test
    void a_repeat_with_the_same_request_id_or_generation_returns_the_same_grant() {
        Reply first = caller.call("claim", "resource", "key:one", "holder", "me", "request_id", "r1");
        Reply repeated = caller.call("claim", "resource", "key:one", "holder", "me", "request_id", "r1");
        Reply shown =
                caller.call("claim", "resource", "key:one", "holder", "me", "claim_generation", first.generation());

        for (Reply reply : List.of(repeated, shown)) {
            assertThat(reply.generation()).isEqualTo(first.generation());
            assertThat(reply.body().path("already_held").asBoolean()).isTrue();
        }
        assertThat(release("key:one", "me", first.generation()).body().has("replayed"))
                .isFalse();
        assertThat(release("key:one", "me", first.generation())
                        .body()
                        .path("replayed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void a_soft_claim_lives_under_an_outer_one() {
        Reply outer = caller.call("claim", "resource", "key:outer", "holder", "me");
        Map<String, Object> under = Map.of("resource", "key:outer", "claim_generation", outer.generation());

        Reply soft = caller.call("claim", "resource", "path:a", "holder", "me", "under", under);
        assertThat(soft.body().at("/under/resource").asString()).isEqualTo("key:outer");
        Reply refused = caller.call("claim", "resource", "path:a", "holder", "other");
        assertThat(refused.body().at("/under/resource").asString()).isEqualTo("key:outer");

        release("key:outer", "me", outer.generation());
        assertThat(caller.call("claim", "resource", "path:a", "holder", "other").status())
                .isEqualTo(200);
    }

    @Test
    void who_hangs_up_while_waiting_does_not_keep_the_claim() throws IOException {
        Reply held = caller.call("claim", "resource", "key:one", "holder", "first");
        try (Socket gone = connect()) {
            send(gone, "claim", "{\"resource\":\"key:one\",\"holder\":\"gone\",\"wait_seconds\":30}");
            await().until(() -> broker.claims().waiting(Resource.key("one")) == 1);
        }
        CompletableFuture<Reply> patient =
                caller.start("claim", "resource", "key:one", "holder", "patient", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 2);

        release("key:one", "first", held.generation());

        assertThat(patient.join().text("holder")).isEqualTo("patient");
        assertThat(eventTypes("key:one")).containsExactly("claimed", "released", "claimed", "released", "claimed");
    }

    @Test
    void what_was_handed_to_one_who_hung_up_while_waiting_goes_to_the_next() throws IOException {
        try (Socket gone = connect()) {
            send(gone, "claim_next", "{\"kind\":\"work\",\"holder\":\"gone\",\"wait_seconds\":30}");
            await().until(() -> broker.claims().waiting(Kind.WORK) == 1);
        }
        CompletableFuture<Reply> patient =
                caller.start("claim_next", "kind", "work", "holder", "patient", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Kind.WORK) == 2);

        String id =
                caller.call("create_work", "title", "new").body().at("/item/id").asString();

        assertThat(patient.join().text("resource")).isEqualTo("work:" + id);
        assertThat(eventTypes("work:" + id)).containsSubsequence("claimed", "released", "claimed");
    }

    @Test
    void a_session_has_an_agent_whose_claims_end_with_it() {
        Reply started =
                caller.call("start_session", "session_id", "s1", "kind", "claude", "host", "laptop", "branch", "main");
        String holder = started.text("holder");
        assertThat(started.body().path("claims")).isEmpty();
        caller.call("claim", "resource", "key:one", "holder", holder);

        assertThat(caller.call("start_session", "session_id", "s1", "kind", "claude")
                        .body()
                        .path("claims"))
                .hasSize(1);
        JsonNode who = caller.call("who").body().path("holders");
        assertThat(who).hasSize(1);
        assertThat(who.get(0).path("host").asString()).isEqualTo("laptop");
        assertThat(who.get(0).path("branch").asString()).isEqualTo("main");
        assertThat(who.get(0).path("claims")).hasSize(1);

        Reply ended = caller.call("end_session", "session_id", "s1");
        assertThat(ended.body().path("released")).hasSize(1);
        assertThat(caller.call("who").text("message")).isEqualTo("nobody holds anything");
        assertThat(caller.call("list_agents").body().path("agents")).isEmpty();
        assertThat(caller.call("list_agents", "all", true).body().path("agents"))
                .hasSize(1);
        Reply unknown = caller.call("end_session", "session_id", "s2");
        assertThat(unknown.status()).isEqualTo(404);
    }

    @Test
    void lists_come_in_pages() {
        for (String agent : List.of("a", "b", "c")) {
            caller.call("start_session", "session_id", agent, "kind", "person", "name", agent);
            caller.call("claim", "resource", "key:" + agent, "holder", agent);
        }

        for (String verb : List.of("list_agents", "who")) {
            String list = verb.equals("who") ? "holders" : "agents";
            Reply page = caller.call(verb, "limit", 2);
            assertThat(page.body().path(list)).hasSize(2);
            Reply rest = caller.call(verb, "limit", 2, "cursor", page.text("next_cursor"));
            assertThat(rest.body().path(list)).hasSize(1);
            assertThat(rest.body().path(list).get(0).path("holder").asString()).isEqualTo("c");
            assertThat(rest.body().has("next_cursor")).isFalse();
        }
        Reply events = caller.call("get_events", "resource", "key:b");
        assertThat(events.body().path("events")).hasSize(1);
        long after = events.body().path("next_after").asLong();
        assertThat(caller.call("get_events", "resource", "key:b", "after", after)
                        .body()
                        .path("events"))
                .isEmpty();
    }

    @Test
    void stopping_answers_whoever_waits_at_once() {
        caller.call("claim", "resource", "key:one", "holder", "first");
        CompletableFuture<Reply> named =
                caller.start("claim", "resource", "key:one", "holder", "second", "wait_seconds", 50);
        CompletableFuture<Reply> next =
                caller.start("claim_next", "kind", "work", "holder", "second", "wait_seconds", 50);
        await().until(() ->
                broker.claims().waiting(Resource.key("one")) + broker.claims().waiting(Kind.WORK) == 2);

        broker.close();

        // who is not told is cut off with the last calls, long before their 50 s are over, and gets no answer
        assertThat(named.join().text("code")).isEqualTo("held");
        assertThat(next.join().body().get("resource").isNull()).isTrue();
    }

    Reply release(String resource, String holder, long generation, Object... more) {
        Object[] arguments = new Object[6 + more.length];
        List.of("resource", resource, "holder", holder, "claim_generation", generation)
                .toArray(arguments);
        System.arraycopy(more, 0, arguments, 6, more.length);
        Reply reply = caller.call("release", arguments);
        assertThat(reply.status()).isEqualTo(200);
        return reply;
    }

    private List<String> eventTypes(String resource) {
        return StreamSupport.stream(
                        caller.call("get_events", "resource", resource)
                                .body()
                                .path("events")
                                .spliterator(),
                        false)
                .map(event -> event.path("type").asString())
                .toList();
    }

    private Socket connect() throws IOException {
        URI url = URI.create(broker.url());
        return new Socket(url.getHost(), url.getPort());
    }

    private void send(Socket socket, String verb, String body) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(("POST /api/v1/" + verb + " HTTP/1.1\r\nHost: "
                        + URI.create(broker.url()).getAuthority()
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
