package dev.holdfast.broker.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.team.Member.Answer;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Three brokers behind HAProxy, with TLS and tokens. */
@Tag("heavy")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralBrokersTest {
    private static final int BROKERS = 3;
    private static final int CALLERS = 20;

    private Team team;
    private Member ann;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        Balancer.assumeInstalled();
        team = new Team(folder, TestPostgres.freshDatabase(), BROKERS, List.of("ann", "bob"));
        ann = team.member("ann");
    }

    @AfterAll
    void stop() {
        if (team != null) {
            team.close();
        }
    }

    @Test
    void any_broker_answers_any_call_about_what_another_has_granted() throws Exception {
        for (int i = 0; i < BROKERS; i++) {
            String key = "key:any-" + i;
            long generation = team.member("ann", i)
                    .call("claim", "resource", key, "holder", "ann")
                    .generation();
            Member other = team.member("ann", (i + 1) % BROKERS);
            assertThat(other.call("heartbeat", "resource", key, "holder", "ann", "claim_generation", generation)
                            .status())
                    .isEqualTo(200);
            Answer refused = team.member("bob", (i + 2) % BROKERS).call("claim", "resource", key, "holder", "bob");
            assertThat(refused.code()).isEqualTo("held");
            assertThat(refused.text("holder")).isEqualTo("ann");
            assertThat(team.member("ann", (i + 2) % BROKERS)
                            .call("release", "resource", key, "holder", "ann", "claim_generation", generation)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void who_waits_at_one_broker_is_woken_by_a_release_at_another() throws Exception {
        List<Long> millis = new ArrayList<>();
        try (ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                String key = "key:wake-" + i;
                Member here = team.member("ann", i % BROKERS);
                Member there = team.member("bob", (i + 1) % BROKERS);
                long generation =
                        here.call("claim", "resource", key, "holder", "ann").generation();
                Future<Answer> granted =
                        waiting.submit(() -> there.call("claim", "resource", key, "holder", "bob", "wait_seconds", 30));
                await().during(Duration.ofMillis(100)).until(() -> !granted.isDone());
                long released = System.nanoTime();
                here.call("release", "resource", key, "holder", "ann", "claim_generation", generation);
                assertThat(granted.get().status()).isEqualTo(200);
                millis.add((System.nanoTime() - released) / 1_000_000);
            }
        }
        millis.sort(null);
        System.out.println("release at one broker to grant at another: median " + millis.get(10) + " ms, most "
                + millis.getLast() + " ms");
        assertThat(millis.get(10))
                .as("by notification, not by the poll every 2 s")
                .isLessThan(500);
    }

    /** Leaves the brokers that start some processor time: the calls are to be many at any moment, not as many as possible. */
    private static void betweenCalls() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(5);
    }

    /** Each broker in turn is told to stop and comes back, while calls keep coming through the balancer. */
    @Test
    void brokers_that_stop_and_start_in_turn_fail_no_call() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                String key = "key:rolling-" + i;
                boolean waits = i % 4 == 0;
                var _ = callers.submit(() -> {
                    while (!over.get()) {
                        try {
                            Answer claim = waits
                                    ? ann.call(
                                            "claim_next",
                                            "kind",
                                            "work",
                                            "holder",
                                            "ann",
                                            "queue",
                                            key,
                                            "wait_seconds",
                                            2)
                                    : ann.call("claim", "resource", key, "holder", "ann");
                            if (!claim.ok() && !claim.code().equals("held")) {
                                failed.add(key + ": " + claim);
                            } else if (!waits && claim.ok()) {
                                Answer release = ann.call(
                                        "release",
                                        "resource",
                                        key,
                                        "holder",
                                        "ann",
                                        "claim_generation",
                                        claim.generation());
                                if (!release.ok()) {
                                    failed.add(key + ": " + release);
                                }
                            }
                        } catch (IOException e) {
                            failed.add(key + ": " + e);
                        }
                        calls.addAndGet(2);
                        betweenCalls();
                    }
                    return null;
                });
            }
            try {
                for (int i = 0; i < BROKERS; i++) {
                    assertThat(team.broker(i).stop(Team.DRAIN.plusSeconds(10))).isZero();
                    team.startAgain(i);
                    int place = i;
                    int back = calls.get();
                    await().atMost(Duration.ofSeconds(30))
                            .until(() -> team.member("ann", place).get("/readyz") == 200
                                    && calls.get() > back + 500); // and the balancer has noticed
                }
            } finally {
                over.set(true);
            }
        }
        System.out.println(calls + " calls while every broker was stopped and started once");
        assertThat(failed).isEmpty();
        assertThat(calls.get()).isGreaterThan(1_000);
    }

    @Test
    void what_a_dead_broker_had_granted_stays_and_its_own_identity_is_free_after_its_lease() throws Exception {
        long generation = team.member("ann", 0)
                .call("claim", "resource", "key:outlives", "holder", "ann", "ttl_seconds", 300)
                .generation();
        team.kill(0);
        assertThat(team.member("ann", 1)
                        .call("heartbeat", "resource", "key:outlives", "holder", "ann", "claim_generation", generation)
                        .status())
                .isEqualTo(200);
        assertThat(team.member("admin", 1)
                        .call("who", "kind", "broker")
                        .body()
                        .path("holders")
                        .size())
                .isGreaterThanOrEqualTo(BROKERS - 1);
        await().atMost(Duration.ofSeconds(40))
                .until(() -> team.member("admin", 1)
                                .call("who", "kind", "broker")
                                .body()
                                .path("holders")
                                .size()
                        == BROKERS - 1);
        team.startAgain(0);
        await().atMost(Duration.ofSeconds(40)).until(() -> team.member("ann", 0).get("/readyz") == 200);
    }
}
