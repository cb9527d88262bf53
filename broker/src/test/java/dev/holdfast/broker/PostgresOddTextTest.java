package dev.holdfast.broker;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;

class PostgresOddTextTest extends OddTextContract {
    @Override
    protected Settings store() {
        return new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
    }
}
