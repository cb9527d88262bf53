package dev.holdfast.broker;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;

class PostgresFindingsTest extends FindingsContract {
    @Override
    Settings store(Path folder) {
        return new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
    }
}
