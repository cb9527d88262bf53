package dev.holdfast.broker.race;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import java.util.List;

class SqliteWorkRaceTest extends WorkRaceContract {
    @Override
    List<Settings> stores(Path folder) {
        return List.of(new Settings().put(Setting.DATA, TestSqlite.in(folder).toString()));
    }
}
