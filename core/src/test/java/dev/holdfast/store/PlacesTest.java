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
class PlacesTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private static Places places(Duration patience) {
        return new Places(Map.of(Share.CALLS, 1, Share.CHORES, 1, Share.IDENTITY, 1), patience);
    }

    @Test
    void a_call_that_began_earlier_goes_first_whenever_it_asks() throws Exception {
        Places places = places(LONG);
        List<String> served = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        try (Places.Place _ = places.take()) {
            long now = System.nanoTime();
            for (String caller : List.of("third 3", "first 1", "fourth 4", "second 2")) {
                int waiting = places.waiting(Share.CALLS);
                Turn turn = new Turn(Share.CALLS, now + Long.parseLong(caller.substring(caller.length() - 1)));
                threads.add(Thread.startVirtualThread(() -> turn.run(() -> {
                    try (Places.Place _ = places.take()) {
                        served.add(caller);
                    }
                })));
                await().until(() -> places.waiting(Share.CALLS) == waiting + 1);
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
        Places places = places(Duration.ofMillis(20));
        try (Places.Place _ = places.take()) {
            assertThatThrownBy(places::take)
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("this broker is overloaded")
                    .hasMessageNotContaining("PostgreSQL");
        }

        places.take().close();
        assertThat(places.waiting(Share.CALLS)).isZero();
    }

    @Test
    void callers_take_nothing_of_what_the_broker_needs_for_itself() {
        Places places = places(LONG);
        try (Places.Place _ = places.take()) {
            Share.CHORES.turn().run(() -> {
                try (Places.Place _ = places.take()) {
                    Share.IDENTITY.turn().run(() -> places.take().close());
                }
            });
        }
    }

    @Test
    void whoever_is_interrupted_while_it_waits_leaves_the_line() throws Exception {
        Places places = places(LONG);
        CountDownLatch told = new CountDownLatch(1);
        try (Places.Place _ = places.take()) {
            Thread waiting = Thread.startVirtualThread(() -> {
                try {
                    places.take();
                } catch (BusyException _) {
                    told.countDown();
                }
            });
            await().until(() -> places.waiting(Share.CALLS) == 1);
            waiting.interrupt();
            told.await();
        }

        places.take().close();
    }
}
