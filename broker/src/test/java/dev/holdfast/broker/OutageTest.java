package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Caller.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutageTest {
    @TempDir
    Path folder;

    @Test
    void while_the_database_is_away_the_broker_is_busy_and_then_goes_on_by_itself() throws IOException {
        EmbeddedPostgres postgres = postgres(0);
        int port = postgres.getPort();
        Config config = Config.of(new Settings()
                .put(Setting.DATABASE, "postgres://postgres@localhost:" + port + "/postgres")
                .put(Setting.PORT, 0L));
        try (Broker broker = Broker.start(config);
                Caller caller = new Caller(broker)) {
            long generation =
                    caller.call("claim", "resource", "key:one", "holder", "me").generation();
            assertThat(caller.get("/readyz").status()).isEqualTo(200);

            postgres.close();
            Reply ready = caller.get("/readyz");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text("error")).startsWith("not ready: ");
            Reply claim = caller.call("claim", "resource", "key:two", "holder", "me");
            assertThat(claim.status()).isEqualTo(503);
            assertThat(claim.text("code")).isEqualTo("busy");
            assertThat(claim.raw().headers().firstValue("Retry-After")).contains("1");
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
            assertThat(caller.get("/metrics").status()).isEqualTo(200);

            postgres = postgres(port);
            await().until(() -> caller.get("/readyz").status() == 200);
            Reply beat =
                    caller.call("heartbeat", "resource", "key:one", "holder", "me", "claim_generation", generation);
            assertThat(beat.status()).isEqualTo(200);
        } finally {
            postgres.close();
        }
    }

    private EmbeddedPostgres postgres(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }
}
