package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import java.nio.file.Path;

class SqliteReviewsTest extends ReviewsContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }
}
