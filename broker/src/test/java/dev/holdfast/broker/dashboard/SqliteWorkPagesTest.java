package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.config.Config;
import java.nio.file.Path;

class SqliteWorkPagesTest extends WorkPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }
}
