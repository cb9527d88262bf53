package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;

class SqliteTeamTokensTest extends TeamTokensContract {
    @Override
    Settings store(Path folder) {
        return new Settings();
    }
}
