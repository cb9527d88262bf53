package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;

class SqliteReviewPagesTest extends ReviewPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(
                folder, new Settings().put(Setting.WORKSPACE, workspace(folder).toString()));
    }
}
