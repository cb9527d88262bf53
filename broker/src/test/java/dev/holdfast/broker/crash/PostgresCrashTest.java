package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.crash.BrokerProcess.Answer;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class PostgresCrashTest extends CrashContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    BrokerProcess start() throws IOException {
        return BrokerProcess.Start.onPostgres(database).now();
    }

    @Test
    void a_broker_that_slept_past_the_lease_wakes_up_to_refusals() throws Exception {
        try (BrokerProcess asleep = start();
                BrokerProcess awake = start()) {
            Answer first = asleep.call("claim", Map.of("resource", "key:deploy", "holder", "first", "ttl_seconds", 1));
            asleep.pause();
            Answer second =
                    awake.call("claim", Map.of("resource", "key:deploy", "holder", "second", "wait_seconds", 20));
            assertThat(second.status()).isEqualTo(200);
            asleep.resume();
            Map<String, Object> late =
                    Map.of("resource", "key:deploy", "holder", "first", "claim_generation", first.generation());
            assertThat(asleep.call("heartbeat", late).text("code")).isEqualTo("lost");
            assertThat(asleep.call("release", late).text("code")).isEqualTo("lost");
            assertThat(held(asleep)).containsEntry("key:deploy", second.generation());
        }
    }

    @Test
    void a_call_that_was_in_flight_while_its_broker_slept_does_not_overwrite_the_new_holder() throws Exception {
        try (BrokerProcess asleep = start();
                BrokerProcess awake = start();
                ExecutorService late = Executors.newVirtualThreadPerTaskExecutor()) {
            Answer first = asleep.call("claim", Map.of("resource", "key:deploy", "holder", "first", "ttl_seconds", 1));
            asleep.pause();
            var inFlight = late.submit(() -> asleep.call(
                    "release",
                    Map.of("resource", "key:deploy", "holder", "first", "claim_generation", first.generation())));
            Answer second =
                    awake.call("claim", Map.of("resource", "key:deploy", "holder", "second", "wait_seconds", 20));
            asleep.resume();
            assertThat(inFlight.get().text("code")).isEqualTo("lost");
            assertThat(held(awake)).containsEntry("key:deploy", second.generation());
        }
    }
}
