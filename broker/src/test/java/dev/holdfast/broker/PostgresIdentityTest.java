package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestPostgres;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PostgresIdentityTest extends IdentityContract {
    @Override
    protected Settings store() {
        return new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
    }

    private static Config at(String database) {
        return Config.of(new Settings().put(Setting.DATABASE, database).put(Setting.PORT, 0L));
    }

    @Test
    void a_broker_of_another_machine_of_the_same_name_leaves_living_sessions_alone() {
        Machine here = Machine.here();
        Machine there = new Machine(here.name(), "another-boot/pid:[4026531836]");
        String database = TestPostgres.freshDatabase();
        try (Store store = PostgresStore.open(database);
                Claims claims = Claims.over(store)) {
            Agents agents = new Agents(store, claims);
            HostedSessions sessions = new HostedSessions(store, agents);
            // a process that lives there; here nobody has that number
            AgentProcess process = new AgentProcess(there.id(), 4_194_304, Instant.now());
            Agent agent = sessions.begin(
                    new SessionStart("s-1", "claude", null, null, there.name(), process.pid(), null, null),
                    process,
                    HostedSessions.Beginning.STARTED);
            claims.claim(ClaimRequest.of(Resource.key("a"), agent.id()));
            try (Broker _ = Broker.start(at(database), here)) { // it looks after sessions before it answers anybody
                assertThat(agents.find(agent.id()).orElseThrow().endedAt()).isNull();
                assertThat(claims.held(null, agent.id(), null)).hasSize(1);
                try (Broker _ = Broker.start(at(database), there)) { // for this one, the process is gone
                    await().until(() -> claims.held(null, agent.id(), null).isEmpty());
                    assertThat(agents.find(agent.id()).orElseThrow().endedAt()).isNotNull();
                }
            }
        }
    }
}
