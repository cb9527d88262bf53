package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.event.Event;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.junit.jupiter.api.Test;

class SubscriberTest {
    private final ByteArrayEndPoint connection = new ByteArrayEndPoint();
    private final Subscriber subscriber = new Subscriber(new Peer(connection));

    @Test
    void what_was_heard_is_taken_once_and_in_order() {
        subscriber.accept(event(1));
        subscriber.accept(event(2));

        assertThat(subscriber.take(Duration.ZERO)).extracting(Event::id).containsExactly(1L, 2L);
        assertThat(subscriber.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void who_falls_too_far_behind_is_hung_up_on() {
        for (int id = 1; id <= 2_001; id++) {
            assertThat(connection.isOpen()).isTrue();
            subscriber.accept(event(id));
        }

        assertThat(subscriber.overrun()).isTrue();
        assertThat(connection.isOpen()).isFalse();
    }

    private static Event event(long id) {
        return new Event(id, Instant.EPOCH, "claimed", "key:a", "me", 1L, null, 1);
    }
}
