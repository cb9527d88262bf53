package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Migrates a database to this program's schema version, and refuses a newer one.
 *
 * <p>Skips Flyway if the database is up to date: loading it takes longer than the rest of a start.
 */
final class Migrations {
    private static final String DEADLOCK = "40P01";
    private static final int RETRIES = 9;

    private Migrations() {}

    static void run(DataSource source, Engine engine) throws SQLException {
        if (!isCurrent(source, engine)) {
            migrate(source, engine);
        }
    }

    /** Creates a store with this schema version in a database that has none. */
    static void make(DataSource source, Engine engine, int schema) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            if (number(statement, engine.migratedBefore) > 0) {
                throw new StoreException(
                        "there is a Holdfast store in that database already; restore into an empty one,"
                                + " such as createdb makes, and let the brokers use that");
            }
        }
        if (schema > engine.newestSchema) {
            throw new StoreException(
                    "the backup was made by a newer Holdfast (schema version " + schema + "); update this one first");
        }
        migrate(flyway(source, engine).target(Integer.toString(schema)).load());
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
        Flyway flyway = flyway(source, engine).load();
        Arrays.stream(flyway.info().all())
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS
                        || migration.getState() == MigrationState.FUTURE_FAILED)
                .findFirst()
                .ifPresent(newer -> {
                    throw new StoreException("the database was written by a newer Holdfast (schema version "
                            + newer.getVersion() + "); start that one, or update this one");
                });
        migrate(flyway);
    }

    /** A deadlock with a broker of the previous version leaves the tables as they were, so it tries again. */
    private static void migrate(Flyway flyway) {
        for (int left = RETRIES; ; left--) {
            try {
                flyway.migrate();
                return;
            } catch (FlywayException e) {
                if (left == 0 || !isDeadlock(e)) {
                    throw new StoreException("cannot create the tables of this version: " + e.getMessage(), e);
                }
            }
        }
    }

    private static boolean isDeadlock(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException failed && DEADLOCK.equals(failed.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static FluentConfiguration flyway(DataSource source, Engine engine) {
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:dev/holdfast/store/" + engine.name().toLowerCase(Locale.ROOT))
                .table("schema_history")
                .baselineOnMigrate(false)
                .group(true); // one transaction and one sync to disk for a new store, and no half-migrated one
    }
}
