package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueSamplesTest {
    @Test
    void a_queue_that_has_run_empty_is_noted_as_empty() {
        List<QueueSamples.Sample> samples =
                QueueSamples.of(List.of(new Holdings.Depth("work", "ready", 2, Duration.ofSeconds(9))), Instant.EPOCH);
        assertThat(samples)
                .containsExactly(
                        new QueueSamples.Sample(Instant.EPOCH, "review", 0, 0, 0),
                        new QueueSamples.Sample(Instant.EPOCH, "step", 0, 0, 0),
                        new QueueSamples.Sample(Instant.EPOCH, "work", 2, 0, 9));
    }
}
