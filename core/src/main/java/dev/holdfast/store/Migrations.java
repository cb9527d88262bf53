package dev.holdfast.store;

import java.util.Arrays;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** Brings a database to the version this program knows, and refuses one that is newer. */
final class Migrations {
    private Migrations() {}

    static void run(DataSource source, Engine engine) {
        Flyway flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:dev/holdfast/store/" + engine.name().toLowerCase(Locale.ROOT))
                .table("schema_history")
                .baselineOnMigrate(false)
                .load();
        MigrationInfo[] known = flyway.info().all();
        Arrays.stream(known)
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS
                        || migration.getState() == MigrationState.FUTURE_FAILED)
                .findFirst()
                .ifPresent(newer -> {
                    throw new StoreException("the database was written by a newer Holdfast (schema version "
                            + newer.getVersion() + "); start that one, or update this one");
                });
        flyway.migrate();
    }
}
