package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lease clock of a single process: whatever the wall clock does, no lease ends early and none comes back. */
class LeaseClockTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-42);
    private final AtomicLong asleep = new AtomicLong(7);
    private final Wall wall = new Wall();

    /** What people call the time. */
    private static final class Wall extends Clock {
        volatile Instant now = NOON;

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
            return now;
        }
    }

    /** The wall clock first: whoever looks in between sees it ahead for a moment only, and believes nothing. */
    private void pass(Duration time) {
        wall.now = wall.now.plus(time);
        nanos.addAndGet(time.toNanos());
    }

    private void sleep(Duration time) {
        asleep.addAndGet(time.toNanos());
        wall.now = wall.now.plus(time);
    }

    /** A machine that counts how long it has slept. */
    private Store countingStore(Path folder) {
        return SqliteStore.open(
                folder, latest -> new ProcessClock(wall, nanos::get, () -> nanos.get() + asleep.get(), latest));
    }

    private Store store(Path folder) {
        return SqliteStore.open(folder, latest -> new ProcessClock(wall, nanos::get, nanos::get, latest));
    }

    private static Claim granted(ClaimOutcome outcome) {
        assertThat(outcome).isInstanceOf(Granted.class);
        return ((Granted) outcome).claim();
    }

    private static void assertGoesOn(Claims claims, Claim claim, Instant until) {
        assertThat(claims.sweep(100)).isEmpty();
        assertThat(claims.claim(ClaimRequest.of(claim.resource(), "another")))
                .isInstanceOfSatisfying(
                        Refusal.Held.class, held -> assertThat(held.expiresAt()).isEqualTo(until));
        assertThat(claims.heartbeat(claim.resource(), claim.fence())).isInstanceOf(HeartbeatOutcome.Extended.class);
    }

    @Test
    void after_a_sleep_what_was_put_off_is_due_by_the_calendar_and_every_claim_goes_on_where_it_was(
            @TempDir Path folder) {
        Resource work = Resource.parse("work:1");
        try (Store store = countingStore(folder);
                Claims claims = Claims.over(store)) {
            claims.create(NewResource.of(work).notBefore(NOON.plus(Duration.ofHours(1))));
            Claim claim = granted(
                    claims.claim(ClaimRequest.of(Resource.key("a"), "ann").ttl(Duration.ofMinutes(45))));
            pass(Duration.ofMinutes(30));
            assertThat(claims.claimNext(NextRequest.of(Kind.WORK, "bob"))).isInstanceOf(Nothing.class);

            sleep(Duration.ofHours(3));

            Claim later = granted(claims.claimNext(NextRequest.of(Kind.WORK, "bob")));
            assertThat(later.claimedAt()).isEqualTo(wall.now);
            assertThat(later.expiresAt()).isAfter(wall.now);
            assertGoesOn(claims, claim, wall.now.plus(Duration.ofMinutes(15)));
        }
    }

    @Test
    void where_nobody_counts_the_sleep_the_wall_clock_is_followed_when_it_has_stayed_ahead_for_a_minute(
            @TempDir Path folder) {
        Resource work = Resource.parse("work:1");
        try (Store store = store(folder);
                Claims claims = Claims.over(store)) {
            claims.create(NewResource.of(work).notBefore(NOON.plus(Duration.ofHours(1))));
            Claim claim = granted(
                    claims.claim(ClaimRequest.of(Resource.key("a"), "ann").ttl(Duration.ofMinutes(45))));
            wall.now = NOON.plus(Duration.ofHours(3));
            assertGoesOn(claims, claim, NOON.plus(Duration.ofMinutes(45)));
            pass(Duration.ofMinutes(1));
            assertThat(granted(claims.claimNext(NextRequest.of(Kind.WORK, "bob")))
                            .claimedAt())
                    .isEqualTo(wall.now);
            assertGoesOn(claims, claim, wall.now.plus(Duration.ofMinutes(44)));
        }
    }

    @Test
    void a_wall_clock_that_is_wrong_for_a_moment_is_not_followed(@TempDir Path folder) {
        try (Store store = countingStore(folder);
                Claims claims = Claims.over(store)) {
            sleep(Duration.ofHours(1));
            wall.now =
                    NOON.plus(Duration.ofHours(9)); // set by a clock in another time zone, until the network is there
            assertThat(granted(claims.claim(ClaimRequest.of(Resource.key("a"), "ann")))
                            .claimedAt())
                    .isEqualTo(NOON.plus(Duration.ofHours(1)));
            pass(Duration.ofSeconds(50));
            claims.claim(ClaimRequest.of(Resource.key("b"), "ann"));
            wall.now = NOON.plus(Duration.ofHours(1)).plusSeconds(50);
            pass(Duration.ofMinutes(2));
            assertThat(granted(claims.claim(ClaimRequest.of(Resource.key("c"), "ann")))
                            .claimedAt())
                    .isEqualTo(wall.now);
        }
    }

    @Test
    void a_claim_that_had_run_out_before_the_sleep_has_run_out_after_it(@TempDir Path folder) {
        try (Store store = countingStore(folder);
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("a"), "ann").ttl(Duration.ofMinutes(10)));
            pass(Duration.ofMinutes(11));
            sleep(Duration.ofHours(3));
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "bob")))
                    .isInstanceOfSatisfying(
                            Granted.class,
                            granted -> assertThat(granted.displaced()).isNotNull());
        }
    }

    @Test
    void the_machine_tells_how_long_it_has_been_up_or_nothing_is_made_of_it() {
        assertThat(new BootTime(Path.of("/nowhere"), () -> 42).getAsLong()).isEqualTo(42);
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/uptime")), "this machine does not tell");
        long first = BootTime.ofThisMachine().getAsLong();
        assertThat(first).isPositive();
        await().until(() -> BootTime.ofThisMachine().getAsLong() > first);
    }

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
        try (Store store = SqliteStore.open(folder, latest -> new ProcessClock(wall, nanos::get, nanos::get, latest));
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("a"), "first").ttl(Duration.ofMinutes(10)));
            wall.now = NOON.plus(Duration.ofDays(365));
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "second")))
                    .isInstanceOf(Refusal.Held.class);
            nanos.addAndGet(Duration.ofMinutes(10).toNanos());
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), "second")))
                    .isInstanceOf(Granted.class);
        }
    }

    private LongFunction<LeaseClock> clockAt(Instant wall) {
        return latest -> new ProcessClock(Clock.fixed(wall, ZoneOffset.UTC), nanos::get, nanos::get, latest);
    }
}
