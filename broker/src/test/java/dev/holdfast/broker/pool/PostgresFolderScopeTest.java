package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;

class PostgresFolderScopeTest extends FolderScopeContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    Settings store() {
        return new Settings().put(Setting.DATABASE, database).put(Setting.DATA, folder.toString());
    }
}
