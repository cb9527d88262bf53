package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Webhooks whose endpoints answer for ever, or never: nobody else waits for them. */
class SlowEndpointsTest {
    /** Less than the calls may take: whoever waited for one of them would come too late. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final long PATIENCE = 60;

    @TempDir
    private Path folder;

    private Broker broker(Engine engine) {
        Settings store = switch (engine) {
            case SQLITE ->
                new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
            case POSTGRES -> new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
        };
        return Broker.start(Config.of(store.put(Setting.PORT, 0L)
                .put(Setting.BROKER_LEASE, 10L) // a real one: that its timer goes on is what is tested
                .put(Setting.WEBHOOK_HOSTS, "127.0.0.1")
                .put(Setting.WEBHOOK_PATIENCE, PATIENCE)
                .put(Setting.WEBHOOK_SECRET, "swordfish")));
    }

    private static String end(BrokerClient caller, Map<String, Object> onFinish) {
        String id = caller.call(
                        "create_task", "name", "job", "steps", List.of(Map.of("key", "only")), "on_finish", onFinish)
                .text("task_id");
        long generation = caller.call("claim_step", "step_id", id + ".only", "holder", "ann")
                .generation();
        caller.call("complete_step", "step_id", id + ".only", "holder", "ann", "claim_generation", generation);
        await().atMost(SOON)
                .until(() ->
                        caller.call("get_task", "task_id", id).text("state").equals("complete"));
        return id;
    }

    private static Map<String, Object> webhook(Endpoint endpoint) {
        return Map.of("webhook", Map.of("url", endpoint.url()));
    }

    private static Instant renewed(Broker broker) {
        return broker.claims().held(Kind.BROKER, null, null).stream()
                .map(Claim::renewedAt)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void an_endpoint_that_never_answers_delays_no_other_and_the_broker_keeps_its_identity(Engine engine)
            throws Exception {
        try (Endpoint silent = Endpoint.thatAnswers("");
                Endpoint dripping = Endpoint.thatAnswers("HTTP/1.1 200 OK\r\n").andThenSlowlyForEver("X: y\r\n");
                Endpoint endless = Endpoint.thatAnswers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .andThenForEver("5\r\nhello\r\n");
                Endpoint good = Endpoint.thatAnswers("HTTP/1.1 204 Fine\r\n\r\n");
                Broker broker = broker(engine);
                BrokerClient caller = new BrokerClient(broker)) {
            for (int i = 0; i < 3; i++) {
                end(caller, webhook(silent));
                end(caller, webhook(dripping));
                end(caller, webhook(endless));
            }
            end(caller, webhook(good));
            await().atMost(SOON).until(() -> good.calls() == 1 && endless.calls() == 3);

            String item = caller.call("create_work", "title", "ship it")
                    .body()
                    .at("/item/id")
                    .asString();
            end(caller, Map.of("close_work", Map.of("id", item)));
            await().atMost(SOON)
                    .until(() ->
                            caller.call("get_work", "id", item).text("status").equals("closed"));

            Instant before = renewed(broker);
            await().atMost(SOON).until(() -> renewed(broker).isAfter(before));
            assertThat(silent.calls()).as("one call at a time").isEqualTo(1);
            assertThat(dripping.calls()).as("one call at a time").isEqualTo(1);
        }
    }
}
