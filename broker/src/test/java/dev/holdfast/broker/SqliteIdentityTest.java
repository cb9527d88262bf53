package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import java.nio.file.Path;

class SqliteIdentityTest extends IdentityContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }
}
