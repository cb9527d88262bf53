package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.RefusedRow;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions that are long over make room, and nobody is ever mistaken for one of them. */
class SessionRetentionTest {
    private static final Duration KEPT = Duration.ofDays(90);

    /** Some agents on a store whose clock the test moves. */
    private static final class Place implements AutoCloseable {
        final TestStore on;
        final Claims claims;
        final Agents agents;
        final SessionRetention retention;

        Place(Engine engine) {
            on = TestStore.settable(engine);
            claims = Claims.over(on.store());
            agents = new Agents(on.store(), claims);
            retention = new SessionRetention(on.store(), KEPT);
        }

        String start(String session, String kind, @Nullable String name, @Nullable String parent) {
            return agents.start(new SessionStart(session, kind, name, parent, null, null, null, null))
                    .id();
        }

        /** A session that is over. */
        String over(String session) {
            String id = start(session, "claude", null, null);
            agents.end(session);
            return id;
        }

        void pass() {
            on.settableClock().advance(KEPT.plusDays(1));
        }

        List<String> left() {
            return agents.list(true, "", 1_000).stream().map(Agent::id).toList();
        }

        void write(String sql) {
            on.store().write(transaction -> transaction.update(Sql.of(sql), _ -> {}));
        }

        void keepReviewFor(String reviewer) {
            String time = on.store().engine() == Engine.SQLITE ? "0" : "now()";
            write("INSERT INTO reviews (id, intent, agent_type, agent_role, phase, priority, status, revision,"
                    + " reserved_for, last_call, created_at, updated_at) VALUES ('v', 'i', 'a', 'r', 'p', 2, 'pending', 'r', '"
                    + reviewer + "', 'c', " + time + ", " + time + ")");
        }

        @Override
        public void close() {
            claims.close();
            on.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void what_is_long_over_goes_and_what_anything_needs_stays(Engine engine) {
        try (Place at = new Place(engine)) {
            at.over("gone");
            at.start("silent", "claude", null, null);
            String parent = at.over("parent");
            String holder = at.over("holder");
            String awaited = at.over("awaited");
            at.keepReviewFor(awaited);
            at.pass();
            at.claims.claim(ClaimRequest.of(Resource.key("a"), holder)); // by its name alone, after the session's end
            String child = at.start("child", "claude", null, parent);
            String fresh = at.over("fresh");
            at.start("alive", "codex", null, null);

            assertThat(at.retention.drop()).isEqualTo(2);
            assertThat(at.retention.drop()).isZero();
            assertThat(at.left())
                    .contains(parent, holder, awaited, child, fresh)
                    .hasSize(6);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void an_id_that_was_dropped_is_given_to_no_other_session_and_its_own_gets_it_again(Engine engine) {
        String[] same = sessionsWithTheSameId();
        try (Place at = new Place(engine)) {
            assertThat(at.start("p-1", "person", "ann", null)).isEqualTo("ann");
            String first = at.start(same[0], "claude", null, null);
            at.agents.end("p-1");
            at.agents.end(same[0]);
            at.pass();
            assertThat(at.retention.drop()).isEqualTo(2);

            assertThat(at.start("p-2", "person", "ann", null)).startsWith("ann-");
            assertThat(at.start(same[1], "claude", null, null))
                    .isNotEqualTo(first)
                    .startsWith(first);
            assertThat(at.start("p-1", "person", "ann", null)).isEqualTo("ann");
            assertThat(at.start(same[0], "claude", null, null)).isEqualTo(first);
        }
    }

    /** Two whose hashes begin alike: each alone would be called the same. */
    private static String[] sessionsWithTheSameId() {
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; ; i++) {
            String session = "session-" + i;
            String before = seen.put(Sha256.hex(session).substring(0, 6), session);
            if (before != null) {
                return new String[] {before, session};
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void they_go_in_parts(Engine engine) {
        try (Place at = new Place(engine)) {
            IntStream.range(0, 250).forEach(i -> at.over("s-" + i));
            at.pass();
            assertThat(at.retention.drop()).isEqualTo(200);
            assertThat(at.retention.drop()).isEqualTo(50);
            assertThat(at.retention.drop()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void one_that_cannot_be_dropped_stops_no_other(Engine engine) {
        try (Place at = new Place(engine)) {
            at.over("a");
            String bad = at.over("b");
            at.over("c");
            at.pass();
            try (RefusedRow _ = RefusedRow.of(at.on, "DELETE", "agents", "id", bad)) {
                assertThat(at.retention.drop()).isEqualTo(2);
                assertThat(at.retention.drop()).isZero();
                assertThat(at.left()).containsExactly(bad);
            }
            assertThat(at.retention.drop()).isEqualTo(1);
        }
    }
}
