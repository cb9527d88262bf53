package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetentionTest {
    private static final Duration MONTH = Duration.ofDays(30);

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_key_that_was_dropped_comes_back_with_a_higher_generation(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Retention retention = new Retention(on.store(), Duration.ofDays(1), MONTH, Set.of());
            Resource key = Resource.key("deploy");
            long last = 0;
            for (int i = 0; i < 3; i++) {
                last = take(claims, key).generation();
                claims.release(key, Fence.of("agent", last), Ending.released(null));
            }
            assertThat(retention.drop()).isZero();
            on.settableClock().advance(Duration.ofDays(2));
            assertThat(retention.drop()).isEqualTo(1);
            assertThat(take(claims, key).generation()).isEqualTo(last + 1);
            assertThat(take(claims, Resource.key("other")).generation()).isGreaterThan(last);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void what_is_held_or_was_made_by_its_thing_stays(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Retention retention = new Retention(on.store(), Duration.ofDays(1), MONTH, Set.of());
            take(claims, Resource.key("held"));
            claims.create(NewResource.of(new Resource(Kind.WORK, "w")));
            on.settableClock().advance(Duration.ofDays(2));
            assertThat(retention.drop()).isZero();
            assertThat(claims.held(Kind.KEY, null, null)).hasSize(1);
            assertThat(claims.claimNext(NextRequest.of(Kind.WORK, "agent"))).isInstanceOf(Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void old_events_go_and_new_ones_stay(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Retention retention = new Retention(on.store(), Duration.ofDays(400), MONTH, Set.of());
            take(claims, Resource.key("old"));
            on.settableClock().advance(Duration.ofDays(40));
            take(claims, Resource.key("new"));
            assertThat(retention.drop()).isEqualTo(1);
            assertThat(claims.tail().after(0, 10))
                    .singleElement()
                    .satisfies(event -> assertThat(event.resource()).isEqualTo("key:new"));
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void events_that_go_with_their_things_stay_and_what_is_around_them_goes(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Retention retention = new Retention(on.store(), Duration.ofDays(400), MONTH, Set.of(Kind.WORK));
            for (int i = 0; i < 600; i++) {
                claims.create(NewResource.of(new Resource(Kind.WORK, "w" + i)));
            }
            for (int i = 0; i < 3; i++) {
                take(claims, Resource.key("k" + i));
            }
            claims.create(NewResource.of(new Resource(Kind.WORK, "last")));
            on.settableClock().advance(Duration.ofDays(40));
            take(claims, Resource.key("young"));
            assertThat(retention.drop()).isEqualTo(3);
            assertThat(retention.drop()).isZero();
            assertThat(claims.tail().after(0, 1_000)).hasSize(602);
            on.settableClock().advance(Duration.ofDays(40));
            assertThat(retention.drop()).isEqualTo(1);
        }
    }

    private static Claim take(Claims claims, Resource key) {
        return ((Granted) claims.claim(ClaimRequest.of(key, "agent"))).claim();
    }
}
