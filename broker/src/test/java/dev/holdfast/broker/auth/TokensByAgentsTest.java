package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensByAgentsTest {
    @Test
    void an_agent_that_is_known_to_be_one_makes_changes_and_ends_no_tokens(@TempDir Path folder) {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient caller = new BrokerClient(broker)) {
            assertThat(caller.call("create_token", "name", "ann", "roles", List.of("viewer"))
                            .status())
                    .isEqualTo(200);
            long generation =
                    caller.call("claim", "resource", "key:x", "holder", "bob").generation();
            long self = ProcessHandle.current().pid();
            caller.call("start_session", "session_id", "an-agent", "kind", "claude", "pid", self);
            assertThat(caller.call("create_token", "name", "eve", "roles", List.of("admin"))
                            .text("error"))
                    .contains("a person's decision");
            assertThat(caller.call("rotate_token", "token", "ann").status()).isEqualTo(403);
            assertThat(caller.call("revoke_token", "token", "ann").status()).isEqualTo(403);
            assertThat(caller.call("list_tokens").body().path("tokens")).hasSize(1);
            assertThat(caller.call(
                                    "take_back",
                                    "resource",
                                    "key:x",
                                    "claim_generation",
                                    generation,
                                    "by",
                                    "a person",
                                    "reason",
                                    "mine now")
                            .text("error"))
                    .as("nor does it take what others hold")
                    .contains("a person's decision");
        }
    }
}
