package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdlePacingTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong changes = new AtomicLong();
    private final AtomicBoolean held = new AtomicBoolean();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicLong clock = new AtomicLong();
    private final IdlePacing rest = new IdlePacing(
            changes::get,
            () -> {
                looks.incrementAndGet();
                return held.get();
            },
            clock::get);

    @Test
    void the_first_turn_is_never_skipped_and_the_next_is_while_nothing_happens() {
        assertThat(rest.skips("sweep")).isFalse();
        clock.addAndGet(SECOND);
        assertThat(rest.skips("sweep")).isTrue();
        assertThat(rest.skips("count")).isFalse();
    }

    @Test
    void after_an_event_every_chore_has_its_turn() {
        rest.skips("sweep");
        rest.skips("count");
        changes.incrementAndGet();
        assertThat(rest.skips("sweep")).isFalse();
        assertThat(rest.skips("count")).isFalse();
        assertThat(rest.skips("sweep")).isTrue();
    }

    @Test
    void an_event_during_a_turn_brings_another_turn() {
        rest.skips("sweep");
        changes.incrementAndGet(); // while it sweeps
        clock.addAndGet(SECOND);
        assertThat(rest.skips("sweep")).isFalse();
    }

    @Test
    void while_anything_is_held_no_turn_is_skipped() {
        held.set(true);
        rest.skips("sweep");
        for (int i = 0; i < 60; i++) {
            clock.addAndGet(SECOND);
            assertThat(rest.skips("sweep")).isFalse();
        }
        assertThat(looks.get()).isLessThan(20); // one look serves several chores and turns
    }

    @Test
    void however_quiet_it_is_a_chore_is_done_every_quarter_of_a_minute() {
        rest.skips("sweep");
        int turns = 0;
        for (int i = 0; i < 60; i++) {
            clock.addAndGet(SECOND);
            if (!rest.skips("sweep")) {
                turns++;
            }
        }
        assertThat(turns).isEqualTo(4);
    }

    @Test
    void a_turn_is_surely_skipped_only_if_that_is_known_without_looking() {
        rest.skips("sweep");
        assertThat(rest.willSkip("sweep")).isFalse();
        assertThat(rest.skips("sweep")).isTrue();
        int before = looks.get();
        assertThat(rest.willSkip("sweep")).isTrue();
        assertThat(rest.willSkip("count")).isFalse();
        changes.incrementAndGet();
        assertThat(rest.willSkip("sweep")).isFalse();
        assertThat(looks).hasValue(before);
    }

    @Test
    void no_turn_is_surely_skipped_while_anything_is_held() {
        held.set(true);
        rest.skips("sweep");
        rest.skips("sweep");
        assertThat(rest.willSkip("sweep")).isFalse();
    }
}
