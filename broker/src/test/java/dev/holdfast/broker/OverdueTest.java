package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A reviewer that is none of the pool's, keeps its review alive and never judges it, at a running broker. */
class OverdueTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void a_reviewer_without_a_pool_that_beats_for_ever_is_stopped_after_the_longest_claim() {
        try (Broker broker = Broker.start(withLongestClaim(Duration.ofSeconds(3)));
                Caller caller = new Caller(broker)) {
            String id = caller.call(
                            "create_review", "intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1")
                    .text("review_id");
            Instant end = Instant.parse(caller.call("claim_review", "review_id", id, "reviewer_id", "stuck")
                    .text("expires_at"));
            assertThat(end).isBefore(Instant.now().plusSeconds(4));
            assertThat(caller.call("heartbeat", "resource", "review:" + id, "holder", "stuck", "claim_generation", 1)
                            .text("expires_at"))
                    .as("a heartbeat does not bring it beyond the longest claim")
                    .isEqualTo(end.toString());
            assertThat(caller.call("who")
                            .body()
                            .at("/holders/0/claims/0/expires_at")
                            .asString())
                    .isEqualTo(end.toString());
            await().until(() -> caller.call(
                            "heartbeat", "resource", "review:" + id, "holder", "stuck", "claim_generation", 1)
                    .text("code")
                    .equals("lost"));
            assertThat(caller.call("get_review_status", "review_id", id).text("status"))
                    .isEqualTo("pending");
            JsonNode events =
                    caller.call("get_audit_log", "review_id", id).body().path("events");
            JsonNode last = events.get(events.size() - 1);
            assertThat(last.path("event_type").asString()).isEqualTo("review_reclaimed");
            assertThat(last.at("/metadata/reason").asString()).isEqualTo("overdue");
            assertThat(caller.get("/metrics").raw().body())
                    .contains("holdfast_reclaims_total{kind=\"review\",reason=\"overdue\"} 1.0");
        }
    }

    /** Shorter than a config file may make it. */
    private Config withLongestClaim(Duration longest) {
        Config config = Config.in(TestSqlite.in(folder));
        Config.Reviewing reviews = config.reviews();
        return new Config(
                config.server(),
                config.store(),
                config.leases(),
                config.sweeps(),
                new Config.Reviewing(
                        reviews.requireFence(),
                        reviews.requireReading(),
                        reviews.reviewers(),
                        reviews.requireCheck(),
                        reviews.workspace(),
                        reviews.workspaceGiven(),
                        reviews.projects(),
                        longest,
                        reviews.limits()),
                config.pool(),
                config.work(),
                config.tasks(),
                config.retention(),
                config.limits(),
                config.given());
    }
}
