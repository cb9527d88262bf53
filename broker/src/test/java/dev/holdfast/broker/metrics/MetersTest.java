package dev.holdfast.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetersTest {
    @TempDir
    Path folder;

    Broker broker;
    Caller caller;

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(folder));
        caller = new Caller(broker);
    }

    @AfterEach
    void stop() {
        caller.close();
        broker.close();
    }

    @Test
    void everything_is_there_from_the_start_and_nothing_is_added_by_use() {
        Set<String> before = series();
        for (String name : List.of(
                "holdfast_claims_total{kind=\"key\",outcome=\"granted\"}",
                "holdfast_claim_seconds_count{kind=\"key\"}",
                "holdfast_heartbeats_total{outcome=\"lost\"}",
                "holdfast_reclaims_total{kind=\"work\",reason=\"expired\"}",
                "holdfast_fenced_writes_total{kind=\"key\",reason=\"stale\"}",
                "holdfast_queue_depth{kind=\"work\",state=\"ready\"}",
                "holdfast_combined_batch_size_count",
                "holdfast_store_seconds_count{operation=\"write\"}",
                "holdfast_http_seconds_count{door=\"api\"}")) {
            assertThat(before).contains(name);
        }

        use();

        assertThat(series()).isEqualTo(before);
    }

    @Test
    void what_happens_is_counted_once() {
        use();

        assertThat(value("holdfast_claims_total{kind=\"key\",outcome=\"granted\"}"))
                .isEqualTo(2);
        assertThat(value("holdfast_claims_total{kind=\"key\",outcome=\"held\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_claims_total{kind=\"work\",outcome=\"nothing\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_reclaims_total{kind=\"key\",reason=\"taken_over\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_heartbeats_total{outcome=\"lost\"}")).isEqualTo(2);
        assertThat(value("holdfast_fenced_writes_total{kind=\"key\",reason=\"lost\"}"))
                .isEqualTo(2);
        assertThat(value("holdfast_queue_depth{kind=\"key\",state=\"held\"}")).isEqualTo(1);
    }

    private void use() {
        long first = caller.call("claim", "resource", "key:a", "holder", "one", "ttl_seconds", 1)
                .generation();
        caller.call("claim", "resource", "key:a", "holder", "two");
        caller.call("claim", "resource", "key:a", "holder", "two", "wait_seconds", 10);
        caller.call("heartbeat", "resource", "key:a", "holder", "one", "claim_generation", first);
        caller.call("release", "resource", "key:a", "holder", "one", "claim_generation", first);
        caller.call("heartbeat", "holder", "one");
        caller.call("claim_next", "kind", "work", "holder", "two");
    }

    private double value(String series) {
        return lines().stream()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private Set<String> series() {
        return lines().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toSet());
    }

    private List<String> lines() {
        return caller.get("/metrics")
                .raw()
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
