package dev.holdfast.broker.dashboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WhenTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:21:00Z");

    @Test
    void a_sentence_says_for_how_long_and_until_what_time() {
        assertThat(When.inWords(
                        "Step a has been claimed by ann since 2026-11-16T12:03:00.5Z, until 2026-11-16T12:40:00Z unless extended.",
                        NOW))
                .isEqualTo("Step a has been claimed by ann for 17 min, until 12:40 UTC unless extended.");
    }

    @Test
    void a_moment_is_said_by_its_distance() {
        assertThat(When.inWords("It expired at 2026-11-16T12:20:00Z and will be retried at 2026-11-16T12:23:00Z.", NOW))
                .isEqualTo("It expired 1 min ago and will be retried in 2 min.");
    }

    @Test
    void a_name_that_only_looks_like_a_time_stays() {
        assertThat(When.inWords("Step 2026-02-30T25:61:61Z has been claimed since 2026-11-16T12:03:00Z.", NOW))
                .isEqualTo("Step 2026-02-30T25:61:61Z has been claimed for 18 min.");
    }

    @Test
    void what_is_days_away_has_its_date() {
        assertThat(When.inWords("until 2026-11-18T12:00:00Z", NOW)).isEqualTo("until 18 Nov 2026 12:00:00 UTC");
    }
}
