package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.config.Config;
import java.nio.file.Path;

class SqlitePoolPagesTest extends PoolPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder, withPool());
    }
}
