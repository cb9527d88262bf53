package dev.holdfast.event;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    @Test
    void a_turn_that_fails_does_not_end_the_routine() {
        AtomicInteger turns = new AtomicInteger();
        try (PeriodicTask routine = new PeriodicTask("failing", () -> {
            if (turns.incrementAndGet() < 3) {
                throw new IllegalStateException("on purpose");
            }
            return Long.MAX_VALUE;
        })) {
            routine.start();
            await().until(() -> {
                routine.nudge();
                return turns.get() >= 3;
            });
        }
    }
}
