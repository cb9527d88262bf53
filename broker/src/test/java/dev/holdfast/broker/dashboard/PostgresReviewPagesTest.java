package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;

class PostgresReviewPagesTest extends ReviewPagesContract {
    @Override
    Config config(Path folder) {
        return Config.of(new Settings()
                .put(Setting.DATABASE, TestPostgres.freshDatabase())
                .put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, workspace(folder).toString()));
    }
}
