package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Many proposers and many reviewers at once over MCP: every review ends, each is reviewed by one, nobody is forgotten. */
@Timeout(600)
abstract class SoakContract {
    private static final int EACH = 32;

    @TempDir
    Path folder;

    abstract Settings store(Path folder);

    @Test
    void thirty_two_proposers_and_reviewers_for_three_seconds() throws Exception {
        soak(Duration.ofSeconds(3));
    }

    @Test
    @Tag("heavy")
    void thirty_two_proposers_and_reviewers_for_a_minute() throws Exception {
        soak(Duration.ofMinutes(1));
    }

    private void soak(Duration time) throws Exception {
        try (Broker broker = Broker.start(Config.of(store(folder).put(Setting.PORT, 0L)));
                RawClient client = new RawClient(broker);
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Soak soak = new Soak(client, System.nanoTime() + time.toNanos());
            List<Future<?>> proposers = new ArrayList<>();
            List<Future<?>> reviewers = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                String name = "agent-" + i;
                boolean byName = i % 2 == 0;
                proposers.add(agents.submit(() -> soak.run(() -> soak.propose(name))));
                reviewers.add(agents.submit(() -> soak.run(() -> soak.review(name, byName))));
            }
            for (Future<?> proposer : proposers) {
                proposer.get(5, TimeUnit.MINUTES);
            }
            soak.end();
            JsonNode stats = client.call("get_review_stats").join();
            broker.close(); // which answers those who wait
            for (Future<?> reviewer : reviewers) {
                reviewer.get(1, TimeUnit.MINUTES);
            }
            System.out.println(getClass().getSimpleName() + ", " + time.toSeconds() + " s: " + soak.figures());

            assertThat(soak.failures()).isEmpty();
            assertThat(soak.doubleClaims()).isEmpty();
            assertThat(stats.path("total_reviews").asLong())
                    .isEqualTo(soak.closed())
                    .isPositive();
            assertThat(stats.path("by_status").path("closed").asLong()).isEqualTo(soak.closed());
            assertThat(soak.waitsInVain()).isZero();
        }
    }
}
