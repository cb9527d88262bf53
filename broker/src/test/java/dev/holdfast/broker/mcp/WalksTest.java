package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.mcp.WalkRecorder.Walk;
import dev.holdfast.testing.GeneratedPart;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two calls from the door to the database, as they really go; docs/architecture.md draws them. */
class WalksTest {
    @TempDir
    Path folder;

    @Test
    void a_claim_over_rest_on_sqlite() throws Exception {
        try (Broker broker = Broker.start(Config.in(folder));
                RawClient client = new RawClient(broker)) {
            client.caller().call("claim", "resource", "key:first", "holder", "ann");
            String walk = usual(i -> WalkRecorder.walk(
                    "ApiServer", folder, () -> client.caller().call("claim", "resource", "key:" + i, "holder", "ann")));
            GeneratedPart.of("architecture.md", "claim walk").mustBe(walk);
        }
    }

    @Test
    void a_verdict_over_mcp_on_postgresql() throws Exception {
        Settings settings = new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
        try (Broker broker = Broker.start(Config.in(folder, settings));
                RawClient client = new RawClient(broker)) {
            approve(client, propose(client));
            String walk = usual(_ -> {
                JsonNode claimed = propose(client);
                return WalkRecorder.walk("McpAddress", folder, () -> approve(client, claimed));
            });
            GeneratedPart.of("architecture.md", "verdict walk").mustBe(walk);
        }
    }

    private interface Recording {
        Walk make(int number) throws Exception;
    }

    /** The first that two calls draw alike: now and then one shares the database with a chore of the broker and goes another way. */
    private static String usual(Recording recording) throws Exception {
        Set<String> drawn = new LinkedHashSet<>();
        for (int i = 0; i < 5; i++) {
            String walk = drawn(recording.make(i));
            if (!drawn.add(walk)) {
                return walk;
            }
        }
        throw new AssertionError("no two calls went the same way: " + drawn);
    }

    /** A line for each stretch in one package; classes rather than methods, which change more often. */
    private static String drawn(Walk walk) {
        StringBuilder drawn = new StringBuilder("%d hops through %d classes:\n\n| package | classes |\n| --- | --- |\n"
                .formatted(walk.hops(), walk.classes()));
        String pack = "";
        String type = "";
        for (WalkRecorder.Method method : walk.methods()) {
            if (!method.pack().equals(pack)) {
                drawn.append(pack.isEmpty() ? "" : " |\n")
                        .append("| `")
                        .append(method.pack())
                        .append("` | ")
                        .append(method.type());
            } else if (!method.type().equals(type)) {
                drawn.append(" → ").append(method.type());
            }
            pack = method.pack();
            type = method.type();
        }
        return drawn.append(" |").toString();
    }

    private static JsonNode propose(RawClient client) {
        String id = client.call(
                        "create_review",
                        "intent",
                        "a change",
                        "diff",
                        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
                        "skip_diff_validation",
                        true,
                        "agent_type",
                        "gsd-executor",
                        "agent_role",
                        "proposer",
                        "phase",
                        "1",
                        "project",
                        "shop")
                .join()
                .path("review_id")
                .asString();
        JsonNode claimed = client.call("claim_review", "review_id", id, "reviewer_id", "ann")
                .join();
        client.call("get_proposal", "review_id", id, "caller_id", "ann").join();
        return claimed;
    }

    private static void approve(RawClient client, JsonNode claimed) {
        JsonNode answer = client.call(
                        "submit_verdict",
                        "review_id",
                        claimed.path("review_id").asString(),
                        "reviewer_id",
                        "ann",
                        "claim_generation",
                        claimed.path("claim_generation").asLong(),
                        "verdict",
                        "approved",
                        "reason",
                        "fine")
                .join();
        assertThat(answer.path("status").asString()).as(answer.toString()).isEqualTo("approved");
    }
}
