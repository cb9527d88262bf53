package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lease clock of a single process: whatever the wall clock does, no lease ends early and none comes back. */
class LeaseClockTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-42);

    @Test
    void a_wall_clock_that_was_set_back_over_a_restart_does_not_bring_a_lease_back(@TempDir Path folder) {
        try (Store store = SqliteStore.open(folder, clockAt(NOON));
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("a"), "first").ttl(Duration.ofMinutes(10)));
            nanos.addAndGet(Duration.ofMinutes(30).toNanos());
            claims.claim(ClaimRequest.of(Resource.key("b"), "first"));
        }
        try (Store store = SqliteStore.open(folder, clockAt(NOON.minus(Duration.ofDays(1))));
                Claims claims = Claims.over(store)) {
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "second")))
                    .isInstanceOf(Granted.class);
            assertThat(claims.claim(ClaimRequest.of(Resource.key("b"), "second")))
                    .isInstanceOf(Refusal.Held.class);
        }
    }

    @Test
    void a_wall_clock_that_jumps_while_the_broker_runs_ends_no_lease(@TempDir Path folder) {
        Instant[] wall = {NOON};
        Clock jumping = new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.ofHours(9);
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return wall[0];
            }
        };
        try (Store store = SqliteStore.open(folder, latest -> LeaseClock.monotonic(jumping, nanos::get, latest));
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("a"), "first").ttl(Duration.ofMinutes(10)));
            wall[0] = NOON.plus(Duration.ofDays(365));
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "second")))
                    .isInstanceOf(Refusal.Held.class);
            nanos.addAndGet(Duration.ofMinutes(10).toNanos());
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "second")))
                    .isInstanceOf(Granted.class);
        }
    }

    private LongFunction<LeaseClock> clockAt(Instant wall) {
        return latest -> LeaseClock.monotonic(Clock.fixed(wall, ZoneOffset.UTC), nanos::get, latest);
    }
}
