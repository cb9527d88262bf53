package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess.Answer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What holds on either store when the broker dies. Its processes cannot share a test's clock, so leases are real. */
abstract class CrashContract {
    private static final int AGENTS = 16;

    abstract BrokerProcess start() throws IOException;

    @Test
    void what_was_answered_before_a_kill_is_there_after_the_restart() throws Exception {
        Map<String, Long> granted = new ConcurrentHashMap<>();
        Map<String, Long> released = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        for (int crash = 0; crash < 2; crash++) {
            try (BrokerProcess broker = start()) {
                killUnderLoad(broker, next, granted, released);
            }
            try (BrokerProcess broker = start()) {
                Map<String, Long> held = held(broker);
                assertThat(held).containsAllEntriesOf(granted);
                assertThat(held.keySet()).doesNotContainAnyElementsOf(released.keySet());
                broker.stop();
            }
        }
        assertThat(granted.size() + released.size()).isGreaterThan(100);
    }

    /** Agents claim a key each, again and again, and release every second one; the broker dies in the midst of it. */
    private static void killUnderLoad(
            BrokerProcess broker, AtomicInteger next, Map<String, Long> granted, Map<String, Long> released)
            throws Exception {
        CountDownLatch warm = new CountDownLatch(200);
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AGENTS; i++) {
                String holder = "agent-" + i;
                agents.execute(() -> claimUntilItDies(broker, holder, next, granted, released, warm));
            }
            warm.await();
            broker.kill();
        }
    }

    private static void claimUntilItDies(
            BrokerProcess broker,
            String holder,
            AtomicInteger next,
            Map<String, Long> granted,
            Map<String, Long> released,
            CountDownLatch warm) {
        try {
            while (true) {
                int number = next.incrementAndGet();
                String resource = "key:" + number;
                Answer claim = broker.call("claim", Map.of("resource", resource, "holder", holder));
                granted.put(resource, claim.generation());
                if (number % 2 == 0) {
                    granted.remove(resource); // from here on its end is unknown until it is answered
                    Answer release = broker.call(
                            "release",
                            Map.of("resource", resource, "holder", holder, "claim_generation", claim.generation()));
                    assertThat(release.status()).isEqualTo(200);
                    released.put(resource, claim.generation());
                }
                warm.countDown();
            }
        } catch (IOException _) {
            // the broker is dead
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_claim_outlives_the_broker_and_is_free_after_its_ttl_for_a_higher_generation() throws Exception {
        Answer first;
        try (BrokerProcess broker = start()) {
            first = broker.call("claim", Map.of("resource", "key:deploy", "holder", "first", "ttl_seconds", 3));
            broker.kill();
        }
        try (BrokerProcess broker = start()) {
            assertThat(held(broker)).containsEntry("key:deploy", first.generation());
            Answer second =
                    broker.call("claim", Map.of("resource", "key:deploy", "holder", "second", "wait_seconds", 20));
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.generation()).isGreaterThan(first.generation());
            assertThat(second.body().path("displaced").path("holder").asString())
                    .isEqualTo("first");
            Map<String, Object> late =
                    Map.of("resource", "key:deploy", "holder", "first", "claim_generation", first.generation());
            for (String verb : List.of("heartbeat", "release")) {
                Answer answer = broker.call(verb, late);
                assertThat(answer.status()).isEqualTo(412);
                assertThat(answer.text("code")).isEqualTo("lost");
            }
            assertThat(held(broker)).containsEntry("key:deploy", second.generation());
        }
    }

    /** Without a pool: nothing but its lease takes a review from somebody whom the broker knows by name only. */
    @Test
    void a_review_claimed_without_a_session_outlives_the_broker_until_its_lease_ends() throws Exception {
        String review;
        Answer claimed;
        try (BrokerProcess broker = start()) {
            review = broker.call(
                            "create_review",
                            Map.of("intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1"))
                    .text("review_id");
            claimed = broker.call(
                    "claim", Map.of("resource", "review:" + review, "holder", "manual-reviewer", "ttl_seconds", 15));
            assertThat(claimed.status()).isEqualTo(200);
            broker.kill();
        }
        try (BrokerProcess broker = start()) {
            await().until(() -> last(broker, review, "event_type").equals("review_reclaimed"));
            assertThat(last(broker, review, "/metadata/reason")).isEqualTo("claim_timeout");
            assertThat(last(broker, review, "/metadata/old_reviewer")).isEqualTo("manual-reviewer");
            assertThat(Instant.parse(last(broker, review, "created_at")))
                    .isAfterOrEqualTo(Instant.parse(claimed.text("expires_at")));
        }
    }

    private static String last(BrokerProcess broker, String review, String what)
            throws IOException, InterruptedException {
        JsonNode events =
                broker.call("get_audit_log", Map.of("review_id", review)).body().path("events");
        JsonNode last = events.get(events.size() - 1);
        return (what.startsWith("/") ? last.at(what) : last.path(what)).asString();
    }

    @Test
    void two_hundred_at_once_are_answered_by_one_grant() throws Exception {
        try (BrokerProcess broker = start();
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Answer> answers = agents
                    .invokeAll(IntStream.range(0, 200)
                            .<java.util.concurrent.Callable<Answer>>mapToObj(i ->
                                    () -> broker.call("claim", Map.of("resource", "key:one", "holder", "agent-" + i)))
                            .toList())
                    .stream()
                    .map(java.util.concurrent.Future::resultNow)
                    .toList();
            List<Answer> grants =
                    answers.stream().filter(answer -> answer.status() == 200).toList();
            assertThat(grants).hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 409)
                    .hasSize(199)
                    .allMatch(answer ->
                            answer.text("holder").equals(grants.getFirst().text("holder")));
        }
    }

    @Test
    void it_stops_politely_and_answers_those_who_wait() throws Exception {
        try (BrokerProcess broker = start();
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            broker.call("claim", Map.of("resource", "key:busy", "holder", "first"));
            var waiting = agents.submit(
                    () -> broker.call("claim", Map.of("resource", "key:busy", "holder", "second", "wait_seconds", 50)));
            var other = agents.submit(
                    () -> broker.call("claim_next", Map.of("kind", "work", "holder", "third", "wait_seconds", 50)));
            broker.call("claim", Map.of("resource", "key:other", "holder", "first"));
            assertThat(broker.stop()).isZero();
            assertThat(waiting.get().text("code")).isIn("held", "busy");
            assertThat(other.get().status()).isIn(200, 503);
        }
    }

    static Map<String, Long> held(BrokerProcess broker) throws IOException, InterruptedException {
        Map<String, Long> held = new ConcurrentHashMap<>();
        for (var holder : broker.call("who", Map.of("kind", "key")).body().path("holders")) {
            StreamSupport.stream(holder.path("claims").spliterator(), false)
                    .forEach(claim -> held.put(
                            claim.path("resource").asString(),
                            claim.path("claim_generation").asLong()));
        }
        return held;
    }
}
