package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A store's sessions: on the server itself or, if there is a pooler, through that, except for what needs its own. */
final class PostgresSessions {
    /** Longer than any statement may take. */
    private static final int ANSWER_SECONDS = 12;

    private static final int LONG_ANSWER_SECONDS = 120;

    private final PostgresAddress address;
    private final PostgresAddress direct;
    private final int store;
    private final Failovers failovers;
    private final @Nullable TransactionStart start;

    /**
     * Migrates the tables first.
     *
     * @param address that of the pooler if there is one
     * @param direct the database's own
     * @param store identifies the store in its sessions and transactions
     */
    PostgresSessions(PostgresAddress address, PostgresAddress direct, boolean pooled, int store) {
        this.address = address;
        this.direct = direct;
        this.store = store;
        failovers = prepare(direct);
        start = pooled ? new TransactionStart(failovers, store) : null;
        if (pooled) {
            requireSameDatabase();
        }
    }

    /** Migrates the tables, on separate connections, because it may take longer than any call. */
    private static Failovers prepare(PostgresAddress address) {
        PostgresConnections migrating = new PostgresConnections(address, SessionSettings.MIGRATING, 0);
        try {
            PoolerCheck.refuseSharedSessions(migrating);
            Migrations.run(migrating, Engine.POSTGRES);
            Failovers failovers =
                    new Failovers(new PostgresConnections(address, SessionSettings.MIGRATING, LONG_ANSWER_SECONDS));
            failovers.warnIfUndetectable();
            return failovers;
        } catch (SQLException e) {
            throw UnreachableException.at(address, e);
        }
    }

    /** Otherwise we would listen for events, and look for failovers, in the wrong database. */
    private void requireSameDatabase() {
        String throughPooler = database(with(SessionSettings.OURS), address);
        String itself = database(directlyWith(SessionSettings.OURS), direct);
        if (!throughPooler.equals(itself)) {
            throw new StoreException("the pooler at " + address + " does not lead to the database at " + direct
                    + "; store.database and store.direct_database must name the same one");
        }
    }

    private static String database(PostgresConnections connections, PostgresAddress address) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT current_database() || ' ' || coalesce(current_server(), inet_server_port()::text, '')")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw UnreachableException.at(address, e);
        }
    }

    PostgresConnections with(SessionSettings settings) {
        return start == null ? directlyWith(settings) : PostgresConnections.shared(address, ANSWER_SECONDS);
    }

    PostgresConnections directlyWith(SessionSettings settings) {
        return new PostgresConnections(direct, settings, ANSWER_SECONDS, failovers, store);
    }

    /** Whether the session may change from one transaction to the next, so that there must always be one. */
    boolean pooled() {
        return start != null;
    }

    /** Begins a run of statements; through a pooler, with a transaction of these settings. */
    RunLock begin(Connection connection, SessionSettings settings) throws SQLException {
        return start == null ? RunLock.ofSession(store, connection) : start.in(connection, settings);
    }

    Failovers failovers() {
        return failovers;
    }
}
