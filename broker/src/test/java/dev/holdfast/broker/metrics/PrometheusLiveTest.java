package dev.holdfast.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestSqlite;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a real broker by the rules as they are shipped, which takes some five minutes: an alert must
 * have been true for two of them.
 */
@Tag("heavy")
class PrometheusLiveTest {
    private static final Path RULES = Path.of("..", "deploy", "prometheus", "holdfast.rules.yml");
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String ALERT = "ALERTS{alertname=\"HighFinalizationContention\"}";
    private static final int PROCESSORS = 8;

    @TempDir
    Path folder;

    private Broker broker;
    private BrokerClient caller;
    private Prometheus prometheus;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(PROCESSORS + 1);

    @BeforeEach
    void start() throws Exception {
        Programs.assumeInstalled("prometheus", "Debian's package prometheus has it");
        broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))));
        caller = new BrokerClient(broker);
        prometheus = Prometheus.start(folder, RULES, URI.create(broker.url()).getAuthority());
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        if (broker != null) {
            prometheus.close();
            caller.close();
            broker.close();
        }
    }

    @Test
    void contention_fires_its_alert_and_health_does_not_and_the_board_has_data() {
        var _ = threads.scheduleWithFixedDelay(this::oneTaskInHealth, 0, 100, TimeUnit.MILLISECONDS);
        await().atMost(LIMIT)
                .until(() -> prometheus.number(
                                "sum(count_over_time((job:finalization_claim_attempts:rate5m > 0.1)[10m:1s]))")
                        >= 150);
        assertThat(prometheus.ask("count_over_time(" + ALERT + "[10m])")).isEmpty();

        String held = held();
        for (int i = 0; i < PROCESSORS; i++) {
            String processor = "eager-" + i;
            var _ = threads.scheduleWithFixedDelay(
                    () -> caller.call("claim_finalization", "task_id", held, "processor_id", processor),
                    0,
                    100,
                    TimeUnit.MILLISECONDS);
        }
        await().atMost(LIMIT)
                .until(() -> !prometheus
                        .ask(ALERT.replace("}", ",alertstate=\"firing\"}"))
                        .isEmpty());
        assertThat(prometheus.number("job:finalization_claim_contention:ratio_rate5m"))
                .isBetween(0.5, 1.0);
        assertThat(prometheus.number("job:finalization_claim_duration_seconds:p95_5m"))
                .isPositive();
        assertThat(prometheus.ask("ALERTS{alertname!=\"HighFinalizationContention\"}"))
                .isEmpty();

        List<String> empty = new ArrayList<>();
        for (String query : Board.queries()) {
            if (prometheus.ask(Board.filledIn(query)).isEmpty()) {
                empty.add(query);
            }
        }
        assertThat(empty).isEmpty();
    }

    /** Two processors take turns; whoever completes the last step ends the task, and the other finds it complete. */
    private void oneTaskInHealth() {
        String task = create("health");
        for (String processor : List.of("ann", "bob")) {
            Reply step = caller.call("claim_next_step", "holder", processor, "namespace", "health");
            caller.call(
                    "complete_step",
                    "step_id",
                    step.body().at("/step/step_id").asString(),
                    "holder",
                    processor,
                    "claim_generation",
                    step.generation());
        }
        Reply claim = caller.call("claim_finalization", "task_id", task, "processor_id", "bob");
        caller.call(
                "finish_task",
                "task_id",
                task,
                "processor_id",
                "bob",
                "claim_generation",
                claim.generation(),
                "handled_seq",
                claim.body().path("requested_seq").asLong());
        caller.call("claim_finalization", "task_id", task, "processor_id", "ann");
    }

    private String create(String namespace) {
        return caller.call(
                        "create_task",
                        "name",
                        "job",
                        "namespace",
                        namespace,
                        "finalizer",
                        "external",
                        "steps",
                        List.of(Map.of("key", "a"), Map.of("key", "b")))
                .text("task_id");
    }

    /** A task whose finalization somebody has and does not let go. */
    private String held() {
        String task = create("held");
        Reply step = caller.call("claim_next_step", "holder", "slow", "namespace", "held");
        caller.call(
                "complete_step",
                "step_id",
                step.body().at("/step/step_id").asString(),
                "holder",
                "slow",
                "claim_generation",
                step.generation());
        Reply claim = caller.call(
                "claim_finalization", "task_id", task, "processor_id", "slow", "timeout_seconds", LIMIT.toSeconds());
        assertThat(claim.body().path("claimed").asBoolean()).isTrue();
        return task;
    }
}
