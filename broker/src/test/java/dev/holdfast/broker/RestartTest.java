package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a review when a broker with a pool comes back. */
class RestartTest {
    @TempDir
    Path folder;

    @TempDir
    Path workspace;

    private Config withAPool() {
        return Config.of(new Settings()
                .put(Setting.DATA, TestSqlite.in(folder).toString())
                .put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, workspace.toString())
                .put(Setting.POOL_ENGINE, "command")
                .put(Setting.POOL_COMMAND, List.of("sleep", "100000")));
    }

    @Test
    void a_session_keeps_its_review_and_a_holder_that_nobody_knows_does_not() {
        String known;
        String unknown;
        String holder;
        try (Broker broker = Broker.start(withAPool());
                BrokerClient caller = new BrokerClient(broker)) {
            holder = caller.call("start_session", "session_id", "s1", "kind", "person", "name", "ann")
                    .text("holder");
            known = claimed(caller, holder);
            unknown = claimed(caller, "manual-reviewer");
        }
        try (Broker broker = Broker.start(withAPool());
                BrokerClient caller = new BrokerClient(broker)) {
            await().until(() -> status(caller, unknown).equals("pending"));
            assertThat(status(caller, known)).isEqualTo("claimed");
            assertThat(caller.get("/metrics").raw().body())
                    .contains("holdfast_reclaims_total{kind=\"review\",reason=\"stale_session\"} 1.0");
            assertThat(caller.call(
                                    "submit_verdict",
                                    "review_id",
                                    known,
                                    "verdict",
                                    "approved",
                                    "reviewer_id",
                                    holder,
                                    "claim_generation",
                                    1)
                            .text("status"))
                    .isEqualTo("approved");
        }
    }

    private static String claimed(BrokerClient caller, String reviewer) {
        String id = caller.call(
                        "create_review", "intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1")
                .text("review_id");
        caller.call("claim_review", "review_id", id, "reviewer_id", reviewer);
        return id;
    }

    private static String status(BrokerClient caller, String id) {
        return caller.call("get_review_status", "review_id", id).text("status");
    }
}
