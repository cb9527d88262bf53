package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The test moves time by hand, the broker's own and the store's together. */
class SweeperTest {
    private static final Duration BROKER_LEASE = Duration.ofSeconds(30);
    /** How many connections for reading a SQLite store has. */
    private static final int READERS = 4;

    private final TestStore on = TestStore.settable(Engine.SQLITE);
    private final SettableClock clock = on.settableClock();
    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L); // nanoTime may start anywhere, even below 0
    private final AtomicInteger lost = new AtomicInteger();
    private final Claims claims =
            Claims.over(on.store(), new Leases(Map.of(Kind.BROKER, BROKER_LEASE), Duration.ofHours(1)));
    private final Sweeper sweeper = new Sweeper(
            claims, "here", new Sweeper.Caution(600, Duration.ofSeconds(60)), nanos::get, lost::incrementAndGet);
    private final Resource key = Resource.key("deploy");

    @BeforeEach
    void somebody_holds_something_for_a_second() {
        assertThat(claims.claim(ClaimRequest.of(key, "agent").ttl(Duration.ofSeconds(1))))
                .isInstanceOf(Granted.class);
    }

    @AfterEach
    void close() {
        sweeper.close();
        claims.close();
        on.close();
    }

    @Test
    void it_sweeps_only_after_half_its_lease_of_steady_renewals() {
        assertThat(sweeper.turn()).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(sweeper.turn()).isEmpty();
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).containsExactly(key);
        assertThat(claims.held(Kind.KEY, null, null)).isEmpty();
    }

    /** Otherwise no chore of an idle broker would ever rest. */
    @Test
    void a_turn_that_takes_nothing_back_is_no_change() {
        steady();
        long before = claims.tail().changes();
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).isEmpty();
        assertThat(claims.tail().changes()).isEqualTo(before);
    }

    @Test
    void after_a_pause_it_starts_over_before_it_takes_anything_back() {
        steady();
        claims.claim(ClaimRequest.of(key, "agent").ttl(Duration.ofSeconds(20)));
        pass(Duration.ofSeconds(60)); // everybody was paused, the broker too
        assertThat(sweeper.turn()).isEmpty();
        assertThat(claims.held(Kind.KEY, null, null)).hasSize(1);
        pass(Duration.ofSeconds(15));
        assertThat(sweeper.turn()).contains(key);
    }

    @Test
    void a_broker_that_was_taken_for_dead_goes_on_as_a_new_incarnation_and_sweeps_nothing_at_first() {
        steady();
        String before = sweeper.identity();
        Claim identity = claims.held(Kind.BROKER, null, null).getFirst();
        claims.reclaim(identity.resource(), identity.generation(), "taken for dead");
        claims.claim(ClaimRequest.of(key, "agent").ttl(Duration.ofSeconds(1)));
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).isEmpty();
        assertThat(lost).hasValue(1);
        assertThat(sweeper.identity()).isNotNull().isNotEqualTo(before);
        assertThat(claims.held(Kind.KEY, null, null)).hasSize(1);
    }

    @Test
    void it_lets_go_of_its_identity_when_it_stops() {
        sweeper.turn();
        assertThat(claims.held(Kind.BROKER, null, null)).hasSize(1);
        sweeper.close();
        assertThat(claims.held(Kind.BROKER, null, null)).isEmpty();
    }

    @Test
    void one_sweep_takes_back_only_so_many_and_the_next_ones_the_rest() {
        steady();
        hold(700, Duration.ofSeconds(1));
        for (int i = 0; i < 800; i++) {
            claims.claim(ClaimRequest.of(Resource.key("alive" + i), "other").ttl(Duration.ofHours(1)));
        }
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).hasSize(600);
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).hasSize(100);
        assertThat(sweeper.turn()).isEmpty();
    }

    @Test
    void when_most_have_run_out_at_once_sweeps_pause_so_that_the_living_can_say_so() {
        steady();
        hold(100, Duration.ofSeconds(20));
        pass(Duration.ofSeconds(21));
        assertThat(sweeper.turn()).isEmpty();
        for (int i = 0; i < 90; i++) { // the network is back
            Resource one = Resource.key("k" + i);
            assertThat(claims.heartbeat(one, Fence.of("agent", 1))).isInstanceOf(HeartbeatOutcome.Extended.class);
        }
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).hasSize(10);
        assertThat(claims.held(Kind.KEY, null, null)).hasSize(90);
    }

    @Test
    void after_the_pause_the_dead_are_swept_and_watchers_were_told_of_it() {
        steady();
        hold(100, Duration.ofSeconds(1));
        for (int i = 0; i < 13; i++) {
            pass(Duration.ofSeconds(5));
            assertThat(sweeper.turn()).hasSize(i < 12 ? 0 : 100);
        }
        assertThat(claims.tail().after(0, "broker:" + sweeper.identity(), 10))
                .extracting(event -> event.type())
                .contains("sweeps_paused");
        assertThat(claims.heartbeat("agent").lost()).hasSize(101); // each is reported, the very first claim too
    }

    @Test
    void a_pause_of_the_sweeps_keeps_nobody_from_taking_over_by_a_claim() {
        steady();
        hold(100, Duration.ofSeconds(1));
        pass(Duration.ofSeconds(5));
        assertThat(sweeper.turn()).isEmpty();
        assertThat(claims.claim(ClaimRequest.of(Resource.key("k5"), "another"))).isInstanceOf(Granted.class);
    }

    @Test
    void a_sweep_that_hangs_keeps_no_renewal_waiting_nor_who_asks_for_the_identity() throws Exception {
        sweeper.renew();
        CompletableFuture<List<Resource>> over = new CompletableFuture<>();
        Semaphore reading = new Semaphore(0);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < READERS; i++) {
                    var _ = others.submit(() -> on.store().read(_ -> {
                        reading.release();
                        return over.join();
                    }));
                }
                reading.acquire(READERS);
                Future<?> sweep = others.submit(sweeper::sweep); // waits for a connection to read with
                assertThat(others.submit(sweeper::renew).get(10, TimeUnit.SECONDS))
                        .isTrue();
                assertThat(others.submit(sweeper::identity).get(10, TimeUnit.SECONDS))
                        .startsWith("here");
                assertThat(others.submit(sweeper::steady).get(10, TimeUnit.SECONDS))
                        .isFalse();
                assertThat(sweep.isDone()).isFalse();
            } finally {
                over.complete(List.of());
            }
        }
    }

    private void hold(int count, Duration ttl) {
        for (int i = 0; i < count; i++) {
            claims.claim(ClaimRequest.of(Resource.key("k" + i), "agent").ttl(ttl));
        }
    }

    private List<Resource> steady() {
        sweeper.turn();
        pass(Duration.ofSeconds(10));
        sweeper.turn();
        pass(Duration.ofSeconds(5));
        return sweeper.turn();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        clock.advance(time);
    }
}
