package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A task does not end too early or unseen by any door of the broker; SQL's is in PsqlProcessorTest, the command line's in cli. */
class FinishTaskDoorsTest {
    enum Door {
        REST,
        MCP
    }

    @TempDir
    Path folder;

    private static JsonNode through(Door door, RawClient client, String verb, Object... arguments) {
        return switch (door) {
            case REST -> {
                Reply reply = client.caller().call(verb, arguments);
                assertThat(reply.status()).isEqualTo(200);
                yield reply.body();
            }
            case MCP -> client.call(verb, arguments).join();
        };
    }

    @ParameterizedTest
    @CsvSource({"SQLITE, REST", "SQLITE, MCP", "POSTGRES, REST", "POSTGRES, MCP"})
    void before_its_policy_lets_it_and_without_the_last_change_seen_a_task_does_not_end(Engine engine, Door door) {
        Settings settings = new Settings().put(Setting.PORT, 0L);
        try (Broker broker = Broker.start(Config.of(
                        engine == Engine.SQLITE
                                ? settings.put(
                                        Setting.DATA, TestSqlite.in(folder).toString())
                                : settings.put(Setting.DATABASE, TestPostgres.freshDatabase())));
                RawClient client = new RawClient(broker)) {
            String task = through(
                            door,
                            client,
                            "create_task",
                            "name",
                            "job",
                            "finalizer",
                            "external",
                            "steps",
                            List.of(Map.of("key", "a"), Map.of("key", "b")))
                    .path("task_id")
                    .asString();
            complete(door, client);
            long seq = through(door, client, "claim_finalization", "task_id", task, "processor_id", "p")
                    .path("requested_seq")
                    .asLong();

            JsonNode early = finish(door, client, task, seq);
            assertThat(early.path("finished").asBoolean()).isFalse();
            assertThat(early.path("reevaluate").asBoolean()).isFalse();
            assertThat(early.path("code").asString()).isEqualTo("bad_state");
            assertThat(early.path("task_state").asString()).isEqualTo("has_ready_steps");
            assertThat(early.path("message").asString())
                    .isEqualTo("Policy all_succeeded is not fulfilled: 0 steps are waiting, 1 active");

            complete(door, client);
            JsonNode stale = finish(door, client, task, seq);
            assertThat(stale.path("finished").asBoolean()).isFalse();
            assertThat(stale.path("reevaluate").asBoolean()).isTrue();
            assertThat(stale.path("code").asString()).isEqualTo("stale");
            assertThat(stale.path("requested_seq").asLong()).isEqualTo(seq + 1);
            assertThat(through(door, client, "get_task", "task_id", task)
                            .path("state")
                            .asString())
                    .isEqualTo("finalizing");

            JsonNode ended =
                    finish(door, client, task, stale.path("requested_seq").asLong());
            assertThat(ended.path("finished").asBoolean()).isTrue();
            assertThat(ended.has("code")).isFalse();
        }
    }

    private static JsonNode finish(Door door, RawClient client, String task, long seq) {
        return through(
                door,
                client,
                "finish_task",
                "task_id",
                task,
                "processor_id",
                "p",
                "claim_generation",
                1,
                "handled_seq",
                seq);
    }

    private static void complete(Door door, RawClient client) {
        JsonNode taken = through(door, client, "claim_next_step", "holder", "ann");
        through(
                door,
                client,
                "complete_step",
                "step_id",
                taken.at("/step/step_id").asString(),
                "holder",
                "ann",
                "claim_generation",
                taken.path("claim_generation").asLong());
    }
}
