package dev.holdfast.broker;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;

class SqliteSelfReviewTest extends SelfReviewContract {
    @Override
    Settings store(Path folder) {
        return new Settings().put(Setting.DATA, folder.toString());
    }
}
