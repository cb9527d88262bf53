package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;

class SqlitePoolTest extends PoolContract {

    @Override
    Settings store() {
        return new Settings().put(Setting.DATA, folder.toString());
    }
}
