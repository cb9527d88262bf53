package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Who gets a connection, when there are fewer than ask for one. */
class ConnectionSlotsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private static ConnectionSlots slots(Duration patience) {
        return new ConnectionSlots(Map.of(Share.CALLS, 1, Share.CHORES, 1, Share.IDENTITY, 1), patience);
    }

    @Test
    void a_call_that_began_earlier_goes_first_whenever_it_asks() throws Exception {
        ConnectionSlots slots = slots(LONG);
        List<String> served = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        try (ConnectionSlots.Place _ = slots.take()) {
            long now = System.nanoTime();
            for (String caller : List.of("third 3", "first 1", "fourth 4", "second 2")) {
                int waiting = slots.waiting(Share.CALLS);
                Turn turn = new Turn(Share.CALLS, now + Long.parseLong(caller.substring(caller.length() - 1)));
                threads.add(Thread.startVirtualThread(() -> turn.carrier().run(() -> {
                    try (ConnectionSlots.Place _ = slots.take()) {
                        served.add(caller);
                    }
                })));
                await().until(() -> slots.waiting(Share.CALLS) == waiting + 1);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(served).containsExactly("first 1", "second 2", "third 3", "fourth 4");
    }

    @Test
    void whoever_has_waited_long_enough_is_told_that_the_broker_is_full_and_its_place_goes_to_the_next()
            throws Exception {
        ConnectionSlots slots = slots(Duration.ofMillis(20));
        try (ConnectionSlots.Place _ = slots.take()) {
            assertThatThrownBy(slots::take)
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("this broker is overloaded")
                    .hasMessageNotContaining("PostgreSQL");
        }

        slots.take().close();
        assertThat(slots.waiting(Share.CALLS)).isZero();
    }

    @Test
    void callers_take_nothing_of_what_the_broker_needs_for_itself() {
        ConnectionSlots slots = slots(LONG);
        try (ConnectionSlots.Place _ = slots.take()) {
            Share.CHORES.turn().run(() -> {
                try (ConnectionSlots.Place _ = slots.take()) {
                    Share.IDENTITY.turn().run(() -> slots.take().close());
                }
            });
        }
    }

    @Test
    void whoever_is_interrupted_while_it_waits_leaves_the_line() throws Exception {
        ConnectionSlots slots = slots(LONG);
        CountDownLatch told = new CountDownLatch(1);
        try (ConnectionSlots.Place _ = slots.take()) {
            Thread waiting = Thread.startVirtualThread(() -> {
                try {
                    slots.take();
                } catch (BusyException _) {
                    told.countDown();
                }
            });
            await().until(() -> slots.waiting(Share.CALLS) == 1);
            waiting.interrupt();
            told.await();
        }

        slots.take().close();
    }
}
