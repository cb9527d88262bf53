package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.HostedSessions.Beginning;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.DisplacedClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostedSessionsTest {
    private static final String MACHINE = "laptop/boot-1/pid:[1]";
    private static final AgentProcess PROCESS = new AgentProcess(MACHINE, 4711, Instant.parse("2029-12-31T08:00:00Z"));
    private static final Resource ITEM = Resource.key("item");

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_cleared_session_stays_who_it_was_and_keeps_its_claims(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            HostedSessions sessions = new HostedSessions(on.store(), new Agents(on.store(), claims));
            Agent first = sessions.begin(session("s-1", null), PROCESS, Beginning.STARTED);
            claims.claim(ClaimRequest.of(ITEM, first.id()));
            AgentProcess process =
                    new AgentProcess(MACHINE, 4711, PROCESS.startedAt().plusMillis(900));
            Agent cleared = sessions.begin(session("s-2", null), process, Beginning.CONTINUED);
            assertThat(cleared.id()).isEqualTo(first.id());
            assertThat(sessions.heard("s-2").orElseThrow().id()).isEqualTo(first.id());
            assertThat(sessions.heard("s-1")).isEmpty();
            assertThat(claims.held(null, first.id(), null)).hasSize(1);
            Agent second = sessions.begin(session("s-4", null), PROCESS, Beginning.STARTED);
            assertThat(sessions.begin(session("s-5", null), PROCESS, Beginning.CONTINUED)
                            .id())
                    .as("a server of several sessions does not tell which of them was cleared")
                    .isNotIn(first.id(), second.id());
            AgentProcess other =
                    new AgentProcess(MACHINE, 4711, PROCESS.startedAt().plusSeconds(60));
            assertThat(sessions.begin(session("s-3", null), other, Beginning.CONTINUED)
                            .id())
                    .isNotEqualTo(first.id());
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_resumed_session_with_another_id_keeps_its_claims_and_a_return_to_an_earlier_one_leaves_them(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            HostedSessions sessions = new HostedSessions(on.store(), new Agents(on.store(), claims));
            Agent earlier = sessions.begin(session("s-1", null), null, Beginning.STARTED);
            sessions.end(earlier, null);
            Agent agent = sessions.begin(session("s-2", null), PROCESS, Beginning.STARTED);
            claims.claim(ClaimRequest.of(ITEM, agent.id()));
            assertThat(sessions.begin(session("s-3", null), PROCESS, Beginning.RESUMED)
                            .id())
                    .isEqualTo(agent.id());
            assertThat(claims.held(null, agent.id(), null)).hasSize(1);
            assertThat(sessions.begin(session("s-1", null), PROCESS, Beginning.RESUMED)
                            .id())
                    .isEqualTo(earlier.id());
            assertThat(claims.held(null, agent.id(), null))
                    .as("its process runs one session at a time")
                    .isEmpty();
            assertThat(sessions.running(MACHINE))
                    .extracting(running -> running.agent().id())
                    .containsExactly(earlier.id());
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void forks_and_subagents_are_children_and_subagents_end_with_their_session(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            Agents agents = new Agents(on.store(), claims);
            HostedSessions sessions = new HostedSessions(on.store(), agents);
            Agent parent = sessions.begin(session("s-1", null), PROCESS, Beginning.STARTED);
            Agent fork = sessions.begin(session("s-2", null), PROCESS, Beginning.FORKED);
            Agent child =
                    sessions.begin(session(HostedSessions.subagent("s-1", "a1"), parent.id()), null, Beginning.STARTED);
            assertThat(fork.parent()).isEqualTo(parent.id());
            assertThat(child.parent()).isEqualTo(parent.id());
            assertThat(child.id()).isNotEqualTo(parent.id());
            claims.claim(ClaimRequest.of(ITEM, child.id()));
            claims.claim(ClaimRequest.of(Resource.key("other"), fork.id()));
            assertThat(sessions.end(parent, null)).extracting(Claim::resource).containsExactly(ITEM);
            assertThat(agents.list(false, "", 10)).extracting(Agent::id).containsExactly(fork.id());
            assertThat(sessions.running(MACHINE)).singleElement().satisfies(running -> {
                assertThat(running.agent().id()).isEqualTo(fork.id());
                assertThat(running.process().startedAt(PROCESS.startedAt())).isTrue();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_beat_writes_a_claim_once_in_a_minute_or_in_a_third_of_its_lease_and_tells_what_was_lost(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            claims.claim(ClaimRequest.of(ITEM, "ann").ttl(Duration.ofMinutes(45)));
            claims.claim(ClaimRequest.of(Resource.key("short"), "ann").ttl(Duration.ofSeconds(30)));
            assertThat(claims.beat("ann").extended()).isEmpty();
            on.settableClock().advance(Duration.ofSeconds(10));
            assertThat(claims.beat("ann").extended())
                    .extracting(Claim::resource)
                    .containsExactly(Resource.key("short"));
            on.settableClock().advance(Duration.ofSeconds(50));
            assertThat(claims.beat("ann").extended()).hasSize(2);
            on.settableClock().advance(Duration.ofSeconds(31));
            assertThat(claims.claim(ClaimRequest.of(Resource.key("short"), "bob")))
                    .isInstanceOf(Granted.class);
            assertThat(claims.beat("ann").lost())
                    .extracting(DisplacedClaim::resource)
                    .containsExactly(Resource.key("short"));
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_call_of_fifty_minutes_keeps_its_claims_also_through_a_restart_and_one_without_end_does_not(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            AtomicLong nanos = new AtomicLong();
            Agent agent = new HostedSessions(on.store(), new Agents(on.store(), claims))
                    .begin(session("s-1", null), null, Beginning.STARTED);
            claims.claim(ClaimRequest.of(ITEM, agent.id()).ttl(Duration.ofMinutes(45)));
            RunningToolCalls calls = new RunningToolCalls(on.store(), claims, nanos::get, MACHINE);
            calls.begin(agent, "call-1");
            for (int minute = 0; minute < 50; minute++) {
                if (minute == 20) {
                    calls = new RunningToolCalls(on.store(), claims, nanos::get, MACHINE);
                }
                calls.turn();
                pass(on, nanos, Duration.ofMinutes(1));
            }
            assertThat(claims.claim(ClaimRequest.of(ITEM, "bob"))).isInstanceOf(Refusal.Held.class);
            calls.end(agent.id(), "call-1");
            pass(on, nanos, Duration.ofMinutes(43));
            calls.turn();
            assertThat(claims.claim(ClaimRequest.of(ITEM, "bob"))).isInstanceOf(Refusal.Held.class);
            pass(on, nanos, Duration.ofMinutes(3));
            assertThat(claims.claim(ClaimRequest.of(ITEM, "bob"))).isInstanceOf(Granted.class);

            Agent child = new HostedSessions(on.store(), new Agents(on.store(), claims))
                    .begin(session(HostedSessions.subagent("s-1", "a1"), "bob"), null, Beginning.STARTED);
            calls.begin(child, "call-2");
            pass(on, nanos, Duration.ofMinutes(40));
            calls.turn();
            pass(on, nanos, Duration.ofMinutes(40));
            assertThat(claims.claim(ClaimRequest.of(ITEM, "carl")))
                    .as("bob waits for its subagent")
                    .isInstanceOf(Refusal.Held.class);

            for (Duration passed = Duration.ZERO;
                    passed.compareTo(RunningToolCalls.LONGEST.plusMinutes(50)) < 0;
                    passed = passed.plusMinutes(1)) {
                calls.turn();
                pass(on, nanos, Duration.ofMinutes(1));
            }
            assertThat(claims.claim(ClaimRequest.of(ITEM, "carl"))).isInstanceOf(Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_process_is_one_of_its_machine_and_boot_whatever_others_are_called(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            HostedSessions sessions = new HostedSessions(on.store(), new Agents(on.store(), claims));
            Agent here = sessions.begin(session("s-1", null), PROCESS, Beginning.STARTED);
            AgentProcess there = new AgentProcess("laptop/boot-2/pid:[1]", PROCESS.pid(), PROCESS.startedAt());
            Agent other = sessions.begin(session("s-2", null), there, Beginning.CONTINUED);
            assertThat(other.id()).as("nothing of ours was cleared").isNotEqualTo(here.id());
            assertThat(sessions.running(MACHINE))
                    .extracting(running -> running.agent().id())
                    .containsExactly(here.id());
            assertThat(sessions.running("laptop")).isEmpty();
            assertThat(sessions.binding("s-2").orElseThrow().process())
                    .satisfies(process -> assertThat(process == null ? "none" : process.machine())
                            .isEqualTo(there.machine()));
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_call_that_another_machine_saw_begin_is_not_kept_alive_by_a_broker_that_will_not_see_its_end(Engine engine) {
        try (TestStore on = TestStore.settable(engine);
                Claims claims = Claims.over(on.store())) {
            AtomicLong nanos = new AtomicLong();
            Agent agent = new HostedSessions(on.store(), new Agents(on.store(), claims))
                    .begin(session("s-1", null), PROCESS, Beginning.STARTED);
            claims.claim(ClaimRequest.of(ITEM, agent.id()).ttl(Duration.ofMinutes(45)));
            RunningToolCalls there = new RunningToolCalls(on.store(), claims, nanos::get, "laptop/boot-2/pid:[1]");
            there.begin(agent, "call-1");
            there.turn();
            RunningToolCalls here = new RunningToolCalls(on.store(), claims, nanos::get, MACHINE);
            pass(on, nanos, Duration.ofMinutes(44));
            here.turn();
            pass(on, nanos, Duration.ofMinutes(2));
            // on SQLite there is one broker, which was started again in another container
            assertThat(claims.claim(ClaimRequest.of(ITEM, "bob")))
                    .isInstanceOf(engine == Engine.SQLITE ? Refusal.Held.class : Granted.class);
        }
    }

    private static void pass(TestStore on, AtomicLong nanos, Duration time) {
        on.settableClock().advance(time);
        nanos.addAndGet(time.toNanos());
    }

    private static SessionStart session(String id, @Nullable String parent) {
        return new SessionStart(id, "claude", null, parent, "laptop", PROCESS.pid(), "shop", "main");
    }
}
