package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * Brings a database to the version this program knows, and refuses one that is newer.
 *
 * <p>A database that has every migration is left to itself: loading Flyway takes longer than the rest of a start.
 */
final class Migrations {
    private Migrations() {}

    static void run(DataSource source, Engine engine) throws SQLException {
        if (!isCurrent(source, engine)) {
            migrate(source, engine);
        }
    }

    private static boolean isCurrent(DataSource source, Engine engine) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            return number(statement, engine.migratedBefore) == 1
                    && number(statement, "SELECT count(*) FROM schema_history WHERE NOT success") == 0
                    && number(statement, "SELECT max(cast(version AS integer)) FROM schema_history")
                            == engine.newestSchema;
        }
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void migrate(DataSource source, Engine engine) {
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
