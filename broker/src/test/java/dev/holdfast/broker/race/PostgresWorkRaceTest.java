package dev.holdfast.broker.race;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.util.List;

/** Two brokers on one database, each with half of the agents. */
class PostgresWorkRaceTest extends WorkRaceContract {
    @Override
    List<Settings> stores(Path folder) {
        String database = TestPostgres.freshDatabase();
        return List.of(new Settings().put(Setting.DATABASE, database), new Settings().put(Setting.DATABASE, database));
    }
}
