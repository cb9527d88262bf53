package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Each test has a broker of its own, and somebody who calls it. */
public abstract class OnBroker {
    @TempDir
    protected Path folder;

    @SuppressWarnings("NullAway.Init") // started before each test, and again by some
    protected Broker broker;

    @SuppressWarnings("NullAway.Init")
    protected BrokerClient caller;

    /** Where it keeps its data: in SQLite, unless told otherwise. */
    protected Settings store() {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }

    /** What else is set. */
    protected Settings settings() {
        return new Settings();
    }

    @BeforeEach
    protected void start() {
        start(settings());
    }

    protected final void start(Settings more) {
        broker = Broker.start(config(more));
        caller = new BrokerClient(broker);
    }

    private Config config(Settings more) {
        return Config.of(more.over(store()).put(Setting.PORT, 0L));
    }

    /** With leases on a clock that stands still until the test moves it. */
    protected final SettableClock restartOnSettableClock(Settings more) {
        stop();
        Config config = config(more);
        String database = config.store().database();
        SettableClock clock = SettableClock.of(database);
        broker = Broker.start(config, clock.open(database, config.store().data()));
        caller = new BrokerClient(broker);
        return clock;
    }

    protected final void restart(Settings more) {
        stop();
        start(more);
    }

    @AfterEach
    protected void stop() {
        caller.close();
        broker.close();
    }
}
