package dev.holdfast.cli;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands for one broker, which all tests of a class share. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnABroker {
    final Broker broker;

    OnABroker(Path data) {
        broker = Broker.start(Config.in(TestSqlite.in(data)));
    }

    /** @param workspace where it finds the repositories of projects */
    OnABroker(Path data, Path workspace) {
        broker = Broker.start(Config.of(new Settings()
                .put(Setting.DATA, TestSqlite.in(data).toString())
                .put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, workspace.toString())));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    Ran as(String holder, String... words) {
        return Ran.command(Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder), words);
    }
}
