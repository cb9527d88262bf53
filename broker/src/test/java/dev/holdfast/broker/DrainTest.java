package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
    @TempDir
    private Path folder;

    @Test
    void a_broker_that_is_about_to_stop_says_so_first_and_still_answers() throws InterruptedException {
        Broker broker = Broker.start(Config.in(folder, new Settings().put(Setting.DRAIN, 1L)));
        try (BrokerClient caller = new BrokerClient(broker)) {
            assertThat(caller.get("/readyz").status()).isEqualTo(200);
            Thread stopping = Thread.ofVirtual().start(broker::close);
            await().until(() -> caller.get("/readyz").status() == 503);
            assertThat(caller.get("/readyz").text("error")).contains("is stopping");
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
            Reply claim = caller.call("claim", "resource", "key:last", "holder", "ann");
            assertThat(claim.status()).isEqualTo(200);
            assertThat(claim.raw().headers().firstValue("Connection")).contains("close");
            stopping.join();
        } finally {
            broker.close();
        }
    }
}
