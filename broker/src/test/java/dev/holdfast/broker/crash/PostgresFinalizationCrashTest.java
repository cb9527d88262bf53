package dev.holdfast.broker.crash;

import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;

class PostgresFinalizationCrashTest extends FinalizationCrashContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    BrokerProcess.Start store() {
        return BrokerProcess.Start.onPostgres(database);
    }

    @Override
    String database() {
        return database;
    }

    /** It waits for a lock that this connection has. */
    @Override
    void hang(Connection connection, String table, String change) throws SQLException {
        execute(
                connection,
                "SELECT pg_advisory_lock(6)",
                "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM pg_advisory_lock(6); RETURN new; END'",
                "CREATE TRIGGER hanging BEFORE " + change + " ON " + table + " FOR EACH ROW EXECUTE FUNCTION hang()");
    }

    /** The server does not know by itself that the one it waits for is dead. */
    @Override
    void unhang(Connection connection, String table) throws SQLException {
        execute(
                connection,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()",
                "DROP TRIGGER hanging ON " + table,
                "SELECT pg_advisory_unlock(6)");
    }
}
