package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalsTest {
    private static final long LONG = Duration.ofSeconds(30).toNanos();

    private final Signals signals = new Signals();

    private Signals.Waiter waiter(String wants) {
        return signals.enlist(wants, wants::equals, signals.look("work"));
    }

    private static boolean woken(Signals.Waiter waiter) throws InterruptedException {
        return waiter.await(System.nanoTime());
    }

    @Test
    void one_wake_up_wakes_the_one_that_has_waited_longest() throws Exception {
        Signals.Waiter first = waiter("x");
        Signals.Waiter second = waiter("x");
        signals.raise("work", "x");
        assertThat(woken(first)).isTrue();
        assertThat(woken(second)).isFalse();
    }

    @Test
    void a_wake_up_goes_to_one_who_wants_it() throws Exception {
        Signals.Waiter first = waiter("x");
        Signals.Waiter second = waiter("y");
        signals.raise("work", "y");
        assertThat(woken(first)).isFalse();
        assertThat(woken(second)).isTrue();
    }

    @Test
    void what_was_raised_between_looking_and_waiting_is_not_missed() throws Exception {
        Signals.Seen seen = signals.look("work");
        signals.raise("work", "x");
        assertThat(woken(signals.enlist("x", "x"::equals, seen))).isTrue();
    }

    @Test
    void a_waiter_that_gives_up_passes_its_wake_up_on() throws Exception {
        Signals.Waiter first = waiter("x");
        Signals.Waiter second = waiter("x");
        signals.raise("work", "x");
        first.leave(false);
        assertThat(woken(second)).isTrue();
    }

    @Test
    void a_wake_up_that_was_used_is_used_up() throws Exception {
        Signals.Waiter first = waiter("x");
        Signals.Waiter second = waiter("x");
        signals.raise("work", "x");
        first.leave(true);
        assertThat(woken(second)).isFalse();
    }

    @Test
    void who_is_handed_a_thing_does_not_look_for_another() throws Exception {
        Signals.Waiter waiter = waiter("x");
        Signals.Waiter taken = signals.take("work", "x").orElseThrow();
        assertThat(signals.take("work", "x")).isEmpty();
        taken.deliver("the thing");
        assertThat(woken(waiter)).isTrue();
        assertThat(waiter.delivered()).contains("the thing");
    }

    @Test
    void a_hand_over_that_came_to_nothing_wakes_the_waiter() throws Exception {
        Signals.Waiter waiter = waiter("x");
        signals.take("work", "x").orElseThrow().putBack();
        assertThat(woken(waiter)).isTrue();
        assertThat(waiter.delivered()).isEmpty();
    }

    @Test
    void who_has_stopped_waiting_is_not_taken_any_more() throws Exception {
        Signals.Waiter waiter = waiter("x");
        assertThat(waiter.await(System.nanoTime())).isFalse();
        assertThat(signals.take("work", "x")).isEmpty();
        waiter.leave(false);
    }

    @Test
    void who_was_interrupted_while_it_waited_is_not_taken_any_more() {
        Signals.Waiter waiter = waiter("x");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiter.await(System.nanoTime() + LONG)).isInstanceOf(InterruptedException.class);
        assertThat(signals.take("work", "x")).isEmpty();
        waiter.leave(false);
    }

    @Test
    void a_wake_up_for_one_who_has_stopped_waiting_goes_to_the_next() throws Exception {
        Signals.Waiter first = waiter("x");
        Signals.Waiter second = waiter("x");
        assertThat(first.await(System.nanoTime())).isFalse();
        signals.raise("work", "x");
        assertThat(woken(second)).isTrue();
        first.leave(true);
    }

    @Test
    void who_was_taken_waits_for_what_it_is_handed_whatever_its_time_and_whoever_interrupts() throws Exception {
        Signals.Waiter waiter = waiter("x");
        Signals.Waiter taken = signals.take("work", "x").orElseThrow();
        Thread giver = Thread.ofVirtual().unstarted(() -> taken.deliver("the thing"));
        Thread.currentThread().interrupt();
        giver.start();
        assertThat(waiter.await(System.nanoTime())).isTrue();
        assertThat(waiter.delivered()).contains("the thing");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closing_wakes_everybody_for_good() throws Exception {
        List<Signals.Waiter> waiters =
                IntStream.range(0, 5).mapToObj(_ -> waiter("x")).toList();
        signals.close();
        for (Signals.Waiter waiter : waiters) {
            assertThat(woken(waiter)).isTrue();
        }
        assertThat(woken(waiter("x"))).isTrue();
    }

    @Test
    void nobody_who_left_is_counted() {
        Signals.Waiter waiter = waiter("x");
        assertThat(signals.waiting("work")).isEqualTo(1);
        waiter.leave(false);
        assertThat(signals.waiting("work")).isZero();
    }

    /** Consumers that take what producers make, and sleep only on the signal: a lost wake-up would end in the timeout. */
    @Test
    void no_wake_up_is_lost_among_many_threads() throws Exception {
        int each = 3_000;
        ConcurrentLinkedQueue<Integer> things = new ConcurrentLinkedQueue<>();
        AtomicInteger taken = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> consumers = IntStream.range(0, 16)
                    .<Future<?>>mapToObj(_ -> threads.submit(() -> consume(things, taken, 4 * each)))
                    .toList();
            for (int producer = 0; producer < 4; producer++) {
                var _ = threads.submit(() -> IntStream.range(0, each).forEach(i -> {
                    things.add(i);
                    signals.raise("work", "x");
                }));
            }
            for (Future<?> consumer : consumers) {
                consumer.get();
            }
        }
        assertThat(taken).hasValue(4 * each);
    }

    private Void consume(ConcurrentLinkedQueue<Integer> things, AtomicInteger taken, int all) throws Exception {
        while (taken.get() < all) {
            Signals.Seen seen = signals.look("work");
            if (things.poll() != null) {
                if (taken.incrementAndGet() == all) {
                    signals.close();
                }
                continue;
            }
            Signals.Waiter waiter = signals.enlist("x", "x"::equals, seen);
            boolean woken =
                    waiter.await(System.nanoTime() + Duration.ofSeconds(20).toNanos());
            boolean found = things.poll() != null;
            waiter.leave(found);
            if (found && taken.incrementAndGet() == all) {
                signals.close();
            }
            if (!woken && taken.get() < all) {
                throw new AssertionError("slept through a wake-up");
            }
        }
        return null;
    }
}
