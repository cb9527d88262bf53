package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.RefusedRow;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row that cannot be processed keeps nobody from processing the others. */
class BadRowsTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final List<Resource> ALL =
            IntStream.range(0, 9).mapToObj(i -> Resource.key("k" + i)).toList();
    private static final Resource BAD = ALL.get(4);

    private static List<Resource> allButTheBadOne() {
        return ALL.stream().filter(resource -> !resource.equals(BAD)).toList();
    }

    /** On a clock that the test moves; every key is held, and its holder has confirmed the claim. */
    private record Held(TestStore on, Claims claims) implements AutoCloseable {
        static Held of(Engine engine) {
            TestStore on = TestStore.settable(engine);
            Claims claims = Claims.over(on.store());
            for (Resource resource : ALL) {
                Granted granted =
                        (Granted) claims.claim(ClaimRequest.of(resource, "ann").ttl(TTL));
                claims.heartbeat(resource, granted.claim().fence());
            }
            return new Held(on, claims);
        }

        void runOut() {
            on.settableClock().advance(TTL.plusSeconds(1));
        }

        void set(String column, String value) {
            RefusedRow.execute(
                    on, List.of("UPDATE resources SET " + column + " = " + value + " WHERE key = '" + BAD + "'"));
        }

        @Override
        public void close() {
            claims.close();
            on.close();
        }
    }

    /** The limit of the earlier, narrower column type, and that of the current one. */
    static Stream<Object[]> fullCounters() {
        return Stream.of(Engine.values())
                .flatMap(engine ->
                        Stream.of(new Object[] {engine, Short.MAX_VALUE}, new Object[] {engine, Integer.MAX_VALUE}));
    }

    private static int counted(int attempts) {
        return attempts == Integer.MAX_VALUE ? attempts : attempts + 1;
    }

    @ParameterizedTest
    @MethodSource("fullCounters")
    void a_full_counter_of_attempts_stops_no_sweep(Engine engine, int attempts) {
        try (Held held = Held.of(engine)) {
            held.set("attempts", Integer.toString(attempts));
            held.runOut();
            assertThat(held.claims.sweep(100)).containsExactlyInAnyOrderElementsOf(ALL);
            Granted again = (Granted) held.claims.claim(ClaimRequest.of(BAD, "bob"));
            assertThat(again.claim().attempts()).isEqualTo(counted(attempts));
        }
    }

    @ParameterizedTest
    @MethodSource("fullCounters")
    void what_has_a_full_counter_of_attempts_can_be_taken_over_and_fail(Engine engine, int attempts) {
        try (Held held = Held.of(engine)) {
            held.set("attempts", Integer.toString(attempts));
            held.runOut();
            Granted over =
                    (Granted) held.claims.claim(ClaimRequest.of(BAD, "bob").ttl(TTL));
            assertThat(over.claim().attempts()).isEqualTo(counted(attempts));
            assertThat(held.claims.fail(BAD, over.claim().fence(), "broken", null))
                    .isInstanceOf(EndOutcome.Ended.class);
            Granted again = (Granted) held.claims.claim(ClaimRequest.of(BAD, "cleo"));
            assertThat(again.claim().attempts()).isEqualTo(counted(counted(attempts)));
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_row_that_cannot_be_changed_stops_no_sweep_and_is_swept_as_soon_as_it_can(Engine engine) {
        try (Held held = Held.of(engine)) {
            held.runOut();
            try (RefusedRow _ = RefusedRow.of(held.on, "UPDATE", "resources", "key", BAD.toString())) {
                assertThat(held.claims.sweep(100)).containsExactlyInAnyOrderElementsOf(allButTheBadOne());
                assertThat(held.claims.sweep(100)).isEmpty();
                assertThat(held.claims.held(Kind.KEY, null, null))
                        .extracting(Claim::resource)
                        .containsExactly(BAD);
            }
            assertThat(held.claims.sweep(100)).containsExactly(BAD);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_row_that_cannot_be_read_stops_no_sweep(Engine engine) {
        try (Held held = Held.of(engine)) {
            held.set("labels", "'no JSON'");
            held.runOut();
            assertThat(held.claims.sweep(100)).containsExactlyInAnyOrderElementsOf(allButTheBadOne());
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void bad_rows_before_all_others_do_not_use_up_what_a_sweep_may_take_back(Engine engine) {
        try (Held held = Held.of(engine)) {
            RefusedRow.execute(held.on, List.of("UPDATE resources SET labels = 'no JSON' WHERE key < 'key:k3'"));
            held.runOut();
            int swept = 0;
            for (int turn = 0; turn < 4; turn++) {
                swept += held.claims.sweep(3).size();
            }
            assertThat(swept).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_soft_claim_that_cannot_be_freed_stops_no_other(Engine engine) {
        try (Held held = Held.of(engine)) {
            Granted outer = (Granted) held.claims.claim(ClaimRequest.of(Resource.key("outer"), "ann"));
            List<Resource> soft = List.of(Resource.key("s1"), Resource.key("s2"), Resource.key("s3"));
            soft.forEach(resource -> held.claims.claim(ClaimRequest.of(resource, "ann")
                    .under(new OuterClaim(Resource.key("outer"), outer.claim().generation()))));
            held.claims.release(outer.claim(), null);
            try (RefusedRow _ = RefusedRow.of(held.on, "UPDATE", "resources", "key", "key:s2")) {
                assertThat(held.claims.sweep(100)).containsExactlyInAnyOrder(soft.get(0), soft.get(2));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_key_that_cannot_be_dropped_keeps_no_other_and_no_event(Engine engine) {
        try (Held held = Held.of(engine)) {
            ALL.forEach(resource -> held.claims.release(resource, Fence.of("ann", 1), Ending.released(null)));
            held.on.settableClock().advance(Duration.ofDays(3));
            Retention retention = new Retention(held.on.store(), Duration.ofDays(1), Duration.ofDays(2), Set.of());
            try (RefusedRow _ = RefusedRow.of(held.on, "DELETE", "resources", "key", BAD.toString())) {
                assertThat(retention.drop()).isEqualTo(8 + 18);
                assertThat(retention.drop()).isZero();
            }
            assertThat(retention.drop()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void an_event_that_cannot_be_dropped_keeps_no_other(Engine engine) {
        try (Held held = Held.of(engine)) {
            held.on.settableClock().advance(Duration.ofDays(3));
            Retention retention = new Retention(held.on.store(), Duration.ofDays(1), Duration.ofDays(2), Set.of());
            try (RefusedRow _ = RefusedRow.of(held.on, "DELETE", "events", "resource", BAD.toString())) {
                assertThat(retention.drop()).isEqualTo(8);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_thing_that_cannot_come_due_holds_back_no_other(Engine engine) {
        try (Held held = Held.of(engine)) {
            for (String id : List.of("w1", "w2", "w3")) {
                held.claims.create(NewResource.of(new Resource(Kind.WORK, id))
                        .notBefore(held.on.settableClock().now().plusSeconds(60)));
            }
            try (RefusedRow _ = RefusedRow.of(held.on, "UPDATE", "resources", "key", "work:w2")) {
                held.on.settableClock().advance(Duration.ofSeconds(61));
                await().until(() -> ready(held) == 2);
            }
            await().until(() -> ready(held) == 3);
        }
    }

    private static long ready(Held held) {
        return held.claims.depths().stream()
                .filter(depth -> depth.kind().equals("work") && depth.state().equals("ready"))
                .mapToLong(Holdings.Depth::depth)
                .sum();
    }
}
