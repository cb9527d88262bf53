package dev.holdfast.broker;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;

class SqliteReviewsTest extends ReviewsContract {
    @Override
    Settings store(Path folder) {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }
}
