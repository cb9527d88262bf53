package dev.holdfast.cli;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;

class SqliteRecordedSessionsTest extends RecordedSessionsContract {
    @Override
    Settings store(Path data) {
        return new Settings().put(Setting.DATA, TestSqlite.in(data).toString());
    }
}
