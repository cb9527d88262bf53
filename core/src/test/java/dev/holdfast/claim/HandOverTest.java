package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is created while somebody waits is handed to a waiter, and that waiter is told so. */
@Timeout(600)
class HandOverTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int MAKERS = 10;

    private static Future<ClaimOutcome> waiting(ExecutorService agents, Claims claims, Duration patience) {
        Future<ClaimOutcome> waiting = agents.submit(
                () -> claims.claimNext(NextRequest.of(Kind.WORK, "ann").waiting(patience)));
        await().until(() -> claims.waiting(Kind.WORK) == 1);
        return waiting;
    }

    private static void assertHasIt(Future<ClaimOutcome> waiting, Claims claims) throws Exception {
        assertThat(waiting.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Granted.class,
                        granted -> assertThat(granted.claim().fence())
                                .isEqualTo(claims.held(Kind.WORK, null, null)
                                        .getFirst()
                                        .fence()));
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void who_was_taken_before_its_time_was_over_gets_what_it_was_taken_for(Engine engine) throws Exception {
        try (TestStore on = TestStore.ticking(engine);
                Claims claims = Claims.over(on.store());
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Duration patience = Duration.ofMillis(500);
            long start = System.nanoTime();
            Future<ClaimOutcome> waiting = waiting(agents, claims, patience);
            on.store().write(transaction -> {
                boolean made = claims.create(transaction, NewResource.of(Resource.parse("work:1")));
                await().until(() -> System.nanoTime() - start > 2 * patience.toNanos());
                return made;
            });
            assertHasIt(waiting, claims);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void who_was_taken_before_everybody_was_told_to_stop_waiting_gets_it_too(Engine engine) throws Exception {
        try (TestStore on = TestStore.ticking(engine);
                Claims claims = Claims.over(on.store());
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ClaimOutcome> waiting = waiting(agents, claims, LONG);
            on.store().write(transaction -> {
                boolean made = claims.create(transaction, NewResource.of(Resource.parse("work:1")));
                claims.stopWaiting();
                return made;
            });
            assertHasIt(waiting, claims);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void who_was_taken_before_it_was_interrupted_gets_it_too(Engine engine) throws Exception {
        try (TestStore on = TestStore.ticking(engine);
                Claims claims = Claims.over(on.store());
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            List<ClaimOutcome> outcomes = new ArrayList<>();
            Thread waiter = Thread.ofVirtual()
                    .start(() -> outcomes.add(
                            claims.claimNext(NextRequest.of(Kind.WORK, "ann").waiting(LONG))));
            await().until(() -> claims.waiting(Kind.WORK) == 1);
            on.store().write(transaction -> {
                boolean made = claims.create(transaction, NewResource.of(Resource.parse("work:1")));
                waiter.interrupt();
                return made;
            });
            waiter.join(LONG);
            assertThat(outcomes).singleElement().isInstanceOf(Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void what_cannot_be_told_is_let_go_at_once_and_what_was_had_before_is_kept(Engine engine) {
        try (TestStore on = TestStore.ticking(engine);
                Claims claims = Claims.over(on.store())) {
            ClaimRequest asked = ClaimRequest.of(Resource.key("a"), "ann").requestId("r");
            ClaimOutcome fresh = claims.claim(asked);
            ClaimOutcome again = claims.claim(asked);
            assertThatThrownBy(() -> claims.runBeforeDelivery(again, HandOverTest::broken))
                    .hasMessage("cannot be told");
            assertThat(claims.held(null, "ann", null)).hasSize(1);
            assertThatThrownBy(() -> claims.runBeforeDelivery(fresh, HandOverTest::broken))
                    .hasMessage("cannot be told");
            assertThat(claims.held(null, "ann", null)).isEmpty();
            assertThat(claims.runBeforeDelivery(claims.claim(asked), () -> "told"))
                    .isEqualTo("told");
            assertThat(claims.held(null, "ann", null)).hasSize(1);
        }
    }

    private static String broken() {
        throw new IllegalStateException("cannot be told");
    }

    /**
     * In the end, everything that was created is ready, or held by somebody who was told so. Here waits end all the
     * time: a waiter that could still be given something after it had stopped waiting was told nothing, and held it for
     * 45 minutes.
     */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void nothing_is_held_by_one_who_was_told_that_there_is_nothing(Engine engine) throws Exception {
        wait(engine, 100, 500, 60);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    @Tag("heavy")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nothing_is_held_by_one_who_was_told_that_there_is_nothing_among_thousands(Engine engine) throws Exception {
        wait(engine, 500, 10_000, 1_000); // with shorter waits, they would ask so often that nothing gets created
    }

    private static void wait(Engine engine, int waiters, int creates, int longestMillis) throws Exception {
        Map<String, Fence> fences = new ConcurrentHashMap<>();
        AtomicBoolean over = new AtomicBoolean();
        try (TestStore on = TestStore.ticking(engine);
                Claims claims = Claims.over(on.store())) {
            try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < waiters; i++) {
                    String name = "agent-" + i;
                    var _ = agents.submit(() -> {
                        for (int call = 0; !over.get(); call++) {
                            askOnce(claims, name + "-" + call, longestMillis, fences);
                        }
                    });
                }
                List<Future<?>> makers = new ArrayList<>();
                for (int maker = 0; maker < MAKERS; maker++) {
                    String queue = "" + maker;
                    makers.add(agents.submit(() -> {
                        for (int i = 0; i < creates / MAKERS; i++) {
                            claims.create(NewResource.of(Resource.parse("work:" + queue + "-" + i)));
                        }
                    }));
                }
                try {
                    for (Future<?> maker : makers) {
                        maker.get();
                    }
                    await().until(() -> fences.size() > creates / 2);
                } finally {
                    over.set(true); // otherwise nobody would ever stop, and the failure would not be reported
                }
            }
            List<String> untold = claims.held(Kind.WORK, null, null).stream()
                    .filter(held ->
                            !held.fence().equals(fences.get(held.resource().toString())))
                    .map(Claim::toString)
                    .toList();
            assertThat(untold).as("held by those who were not told so").isEmpty();
        }
    }

    /** Each call has its own name, so that no later call finds what an earlier one was not told about. */
    private static void askOnce(Claims claims, String name, int longestMillis, Map<String, Fence> fences) {
        Duration patience = Duration.ofMillis(ThreadLocalRandom.current().nextInt(5, longestMillis));
        switch (claims.claimNext(NextRequest.of(Kind.WORK, name).waiting(patience))) {
            case Granted granted ->
                fences.put(
                        granted.claim().resource().toString(), granted.claim().fence());
            case AlreadyHeld already ->
                fences.put(
                        already.claim().resource().toString(), already.claim().fence());
            case ClaimOutcome.Nothing _ -> {}
            case Refusal _ -> {}
        }
    }
}
