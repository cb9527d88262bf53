package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;

class SqliteBrokerTest extends BrokerContract {
    @Override
    Config config(Path folder) {
        return Config.in(TestSqlite.in(folder));
    }
}
