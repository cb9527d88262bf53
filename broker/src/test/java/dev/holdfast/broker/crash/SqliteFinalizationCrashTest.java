package dev.holdfast.broker.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.io.TempDir;

class SqliteFinalizationCrashTest extends FinalizationCrashContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    @Override
    BrokerProcess.Start store() {
        return BrokerProcess.Start.onSqlite(data);
    }

    @Override
    String database() {
        return "jdbc:sqlite:" + data.resolve("holdfast.db") + "?busy_timeout=60000";
    }

    /** It counts for years. */
    @Override
    void hang(Connection connection, String table, String change) throws SQLException {
        execute(
                connection,
                "CREATE TRIGGER hanging BEFORE " + change + " ON " + table + " BEGIN SELECT count(*) FROM"
                        + " sqlite_master a, sqlite_master b, sqlite_master c, sqlite_master d, sqlite_master e,"
                        + " sqlite_master f, sqlite_master g, sqlite_master h, sqlite_master i; END");
    }

    @Override
    void unhang(Connection connection, String table) throws SQLException {
        execute(connection, "DROP TRIGGER hanging");
    }
}
