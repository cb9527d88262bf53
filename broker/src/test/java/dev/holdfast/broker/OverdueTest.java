package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A reviewer that is none of the pool's, keeps its review alive and never judges it, at a running broker. */
class OverdueTest extends OnBroker {
    @Test
    void a_reviewer_without_a_pool_that_beats_for_ever_is_stopped_after_the_longest_claim() {
        Duration longest = Duration.ofMinutes(1);
        try (SettableClock clock =
                restartOnSettableClock(new Settings().put(Setting.LONGEST_CLAIM, longest.toSeconds()))) {
            String id = caller.call(
                            "create_review", "intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1")
                    .text("review_id");
            String end = caller.call("claim_review", "review_id", id, "reviewer_id", "stuck")
                    .text("expires_at");
            assertThat(Instant.parse(end)).isEqualTo(SettableClock.START.plus(longest));
            clock.advance(longest.dividedBy(2));
            assertThat(heartbeat(id).text("expires_at"))
                    .as("a heartbeat does not bring it beyond the longest claim")
                    .isEqualTo(end);
            assertThat(caller.call("who")
                            .body()
                            .at("/holders/0/claims/0/expires_at")
                            .asString())
                    .isEqualTo(end);
            clock.advance(longest.dividedBy(2));
            await().until(() -> heartbeat(id).text("code").equals("lost"));
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

    private BrokerClient.Reply heartbeat(String review) {
        return caller.call("heartbeat", "resource", "review:" + review, "holder", "stuck", "claim_generation", 1);
    }
}
