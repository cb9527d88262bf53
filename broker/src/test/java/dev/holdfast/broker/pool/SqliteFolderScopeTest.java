package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;

class SqliteFolderScopeTest extends FolderScopeContract {

    @Override
    Settings store() {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }
}
