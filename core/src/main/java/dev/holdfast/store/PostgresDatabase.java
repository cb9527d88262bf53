package dev.holdfast.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** A PostgreSQL database that is not open as a store: to check it, to copy it, or to make a store in it. */
public final class PostgresDatabase {
    private PostgresDatabase() {}

    /** A connection for long-running statements. */
    public static Connection longRunning(String address) throws SQLException {
        PostgresConnections connections =
                new PostgresConnections(PostgresAddress.parse(address), SessionSettings.MIGRATING, 0);
        PoolerCheck.refuseSharedSessions(connections);
        return connections.getConnection();
    }

    /** A connection with the default settings that any program gets. */
    public static Connection withDefaults(String address) throws SQLException {
        return PostgresConnections.withDefaults(PostgresAddress.parse(address));
    }

    /** Puts rows into new tables. */
    @FunctionalInterface
    public interface Filling {
        void fill(Connection connection) throws SQLException, IOException;
    }

    /**
     * Makes a store in an empty database, in one transaction: if it fails or is killed, the database stays empty.
     *
     * @param schema the version of the tables that get filled, possibly an older one; then they are migrated
     * @param last what to do with the migrated tables
     * @throws StoreException if the database is not empty, or the schema is newer than this program
     */
    public static <T> T make(String address, int schema, Filling filling, Work<T> last)
            throws SQLException, IOException {
        try (Connection connection = longRunning(address)) {
            connection.setAutoCommit(false);
            OneTransaction all = new OneTransaction(connection);
            Migrations.make(all, Engine.POSTGRES, schema);
            filling.fill(connection);
            Migrations.run(all, Engine.POSTGRES);
            Transaction transaction = new Transaction(
                    connection,
                    Engine.POSTGRES,
                    LeaseClock.database(),
                    new KeptStatements(connection, Engine.POSTGRES),
                    0);
            T result = last.in(transaction);
            transaction.send();
            connection.commit();
            return result;
        }
    }

    /**
     * Checks that this can be a database address at all.
     *
     * @throws StoreException saying why not
     */
    public static void checkAddress(String address) {
        PostgresAddress.parse(address);
    }
}
