package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentsTest {
    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_session_is_one_agent_through_resume_and_after_its_end(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Agents agents = new Agents(on.store(), claims);
            Agent first = agents.start(session("s-1", "claude", null));
            on.settableClock().advance(Duration.ofMinutes(1));
            Agent resumed = agents.start(session("s-1", "claude", null));
            agents.end("s-1");
            Agent again = agents.start(session("s-1", "claude", null));
            assertThat(resumed.id()).isEqualTo(first.id());
            assertThat(again.id()).isEqualTo(first.id());
            assertThat(again.endedAt()).isNull();
            assertThat(resumed.lastSeenAt()).isAfter(first.lastSeenAt());
            assertThat(claims.tail().after(0, 10).stream().map(Event::type))
                    .containsExactly("session_started", "session_ended", "session_started");
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void the_end_of_a_session_frees_all_it_holds_and_nothing_else(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Agents agents = new Agents(on.store(), claims);
            String mine = agents.start(session("s-1", "claude", null)).id();
            String other = agents.start(session("s-2", "codex", null)).id();
            claims.claim(ClaimRequest.of(Resource.key("a"), mine));
            claims.claim(ClaimRequest.of(Resource.key("b"), mine));
            claims.claim(ClaimRequest.of(Resource.key("c"), other));
            assertThat(agents.end("s-1").orElseThrow()).hasSize(2);
            assertThat(agents.end("s-1").orElseThrow()).isEmpty();
            assertThat(agents.end("nobody")).isEmpty();
            assertThat(claims.held(null, null, null)).hasSize(1);
            assertThat(claims.claim(ClaimRequest.of(Resource.key("a"), other))).isInstanceOf(Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void no_two_sessions_share_an_id_and_people_go_by_their_names(Engine engine) throws Exception {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Agents agents = new Agents(on.store(), claims);
            assertThat(agents.start(session("p-1", "person", "ann")).id()).isEqualTo("ann");
            assertThat(agents.start(session("p-2", "person", "ann")).id()).startsWith("ann-");
            List<Callable<String>> starts = IntStream.range(0, 50)
                    .<Callable<String>>mapToObj(i -> () ->
                            agents.start(session("c-" + i, "claude", null)).id())
                    .toList();
            Set<String> ids = new HashSet<>();
            for (Future<String> id : threads.invokeAll(starts)) {
                ids.add(id.get());
            }
            assertThat(ids).hasSize(50);
            assertThat(agents.list(false, "", 100)).hasSize(52);
        }
    }

    @Test
    void nobody_is_called_unknown() {
        assertThatThrownBy(() -> session("s", "person", "unknown")).isInstanceOf(InvalidException.class);
        assertThatThrownBy(() -> session(" ", "person", null)).isInstanceOf(InvalidException.class);
    }

    private static SessionStart session(String id, String kind, @Nullable String name) {
        return new SessionStart(id, kind, name, null, null, null, null, null);
    }
}
