package dev.holdfast.cli;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;

class PostgresRecordedSessionsTest extends RecordedSessionsContract {
    @Override
    Settings store(Path data) {
        return new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
    }
}
