package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;

class PostgresTeamTokensTest extends TeamTokensContract {
    @Override
    Settings store(Path folder) {
        return new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
    }
}
