package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** All tests of a class share one broker on SQLite, and somebody who calls it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OnOneBroker {
    @SuppressWarnings("NullAway.Init") // started before all tests
    protected Broker broker;

    @SuppressWarnings("NullAway.Init")
    protected BrokerClient caller;

    /** What is set besides. */
    protected Settings settings() {
        return new Settings();
    }

    @BeforeAll
    void start(@TempDir Path folder) {
        broker = Broker.start(Config.of(
                settings().put(Setting.DATA, TestSqlite.in(folder).toString()).put(Setting.PORT, 0L)));
        caller = new BrokerClient(broker);
    }

    @AfterAll
    void stop() {
        caller.close();
        broker.close();
    }
}
