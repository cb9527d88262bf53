package dev.holdfast.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens sessions on one database, in auto-commit mode. It hands out no session that lacks one of its settings or is
 * read-only: the check costs one round trip per session, and an unchecked setting is only a hope. Through a pooler that
 * shares sessions among transactions, each transaction checks for itself ({@link TransactionStart}).
 */
final class PostgresConnections implements ConnectionSource {
    private static final String OTHER_SIDE_DOES_NOT_UNDERSTAND = "08P01";
    private static final String OTHER_SIDE_CANNOT = "0A000";
    private static final String REJECTED = "08004";
    private static final int CONNECT_SECONDS = 5;

    private final PostgresAddress address;
    private final SessionSettings settings;
    private final int answerSeconds;
    private final @Nullable Failovers failovers;
    private final int store;
    private final boolean shared;
    private final Map<String, String> more;

    /** Through a pooler that assigns every transaction whatever session is free. */
    static PostgresConnections shared(PostgresAddress address, int answerSeconds) {
        return new PostgresConnections(address, new SessionSettings(Map.of()), answerSeconds, null, 0, true, Map.of());
    }

    /** @param answerSeconds a connection without an answer for this long counts as broken; 0: never */
    PostgresConnections(PostgresAddress address, SessionSettings settings, int answerSeconds) {
        this(address, settings, answerSeconds, null, 0, false, Map.of());
    }

    /**
     * For sessions that grant claims.
     *
     * @param failovers checked and handled before a session is handed out
     * @param store identifies the store in each session's {@link RunLock}
     */
    PostgresConnections(
            PostgresAddress address, SessionSettings settings, int answerSeconds, Failovers failovers, int store) {
        this(address, settings, answerSeconds, failovers, store, false, Map.of());
    }

    private PostgresConnections(
            PostgresAddress address,
            SessionSettings settings,
            int answerSeconds,
            @Nullable Failovers failovers,
            int store,
            boolean shared,
            Map<String, String> more) {
        this.address = address;
        this.settings = settings;
        this.answerSeconds = answerSeconds;
        this.failovers = failovers;
        this.store = store;
        this.shared = shared;
        this.more = more;
    }

    /** The same for connections that listen for notices, which come without delay. A socketFactory in the address wins. */
    PostgresConnections listening() {
        return new PostgresConnections(
                address,
                settings,
                answerSeconds,
                failovers,
                store,
                shared,
                Map.of("socketFactory", ListeningSockets.class.getName()));
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = open();
        if (shared) {
            return connection;
        }
        try {
            Look look = look(connection);
            if (!look.missing.isEmpty()) {
                settings.applyTo(connection);
                look = look(connection);
            }
            if (!look.missing.isEmpty()) {
                throw new SQLException(
                        "the settings that the broker gives its sessions do not take effect; instead they have "
                                + look.missing + ". " + PoolerCheck.WHAT_TO_DO,
                        REJECTED);
            }
            if (failovers != null && !look.knownServer) {
                failovers.notice();
                if (!look(connection).knownServer) {
                    throw new SQLException("it is a different server than a moment ago", REJECTED);
                }
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A connection as other programs get it: we set nothing. */
    static Connection withDefaults(PostgresAddress address) throws SQLException {
        return shared(address, CONNECT_SECONDS).open();
    }

    /** A connection as the server gives it, with nothing checked. */
    Connection open() throws SQLException {
        Properties properties = new Properties();
        properties.putAll(more);
        properties.putAll(address.credentials());
        String options = settings.asOptionsAfter(address.options());
        if (!options.isEmpty()) {
            properties.setProperty("options", options); // poolers refuse even empty options
        }
        properties.setProperty("ApplicationName", "holdfast");
        properties.setProperty("socketTimeout", Integer.toString(answerSeconds));
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("reWriteBatchedInserts", "true"); // many rows a statement
        // a prepared statement belongs to a session, and with shared sessions the next transaction may be in another
        properties.setProperty("prepareThreshold", shared ? "0" : "1");
        try {
            return DriverManager.getConnection(address.jdbcUrl(), properties);
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (OTHER_SIDE_DOES_NOT_UNDERSTAND.equals(state) || OTHER_SIDE_CANNOT.equals(state)) {
                throw new SQLException(e.getMessage() + ". " + PoolerCheck.WHAT_TO_DO, state, e);
            }
            throw e;
        }
    }

    /** @param missing settings that do not have the required value */
    private record Look(Map<String, String> missing, boolean knownServer) {}

    private Look look(Connection connection) throws SQLException {
        String query = "SELECT pg_is_in_recovery() AS standby, " + settings.columns()
                + (failovers == null
                        ? ""
                        : ", " + Failovers.COLUMN + ", "
                                + RunLock.ofSession(store, connection).heldBySession());
        try (Statement statement = connection.createStatement();
                ResultSet shown = statement.executeQuery(query)) {
            shown.next();
            if (shown.getBoolean("standby")) {
                throw new SQLException(
                        "it is a standby, which accepts no changes; name the primary, or all of them, and the primary is"
                                + " found: postgres://user:password@first,second/database",
                        REJECTED);
            }
            return new Look(settings.missingIn(shown), failovers == null || failovers.known(shown));
        }
    }

    /** How long the pool, when it closes, waits for a connection that is being opened. */
    @Override
    public int getLoginTimeout() {
        return CONNECT_SECONDS;
    }
}
