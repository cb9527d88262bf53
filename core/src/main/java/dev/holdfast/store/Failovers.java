package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the database is no longer the same one: a standby was promoted, or a backup restored. An asynchronous
 * standby may lack the last acknowledged changes. It would then grant again, with the same generation, what was already
 * granted: two holders with the same right.
 *
 * <ol>
 *   <li>A server is identified by its system identifier and timeline, which changes with every promotion and every
 *       archive recovery, and by the OIDs of the database and of a table, which change when the database is copied or
 *       restored from a dump. {@code known_server} records the server of the last change. It is in the database itself,
 *       so it is replicated along with whatever changes were.
 *   <li>A session stays on one server: a failover ends it, and no session is opened on a standby, which could be
 *       promoted during the session. So checking once, when a session starts, is enough, and nothing is granted in a
 *       session before the check.
 *   <li>The first session to see a server other than the known one fences everybody out, in one transaction that locks
 *       that row; all other new sessions wait for it. Afterwards the server is known.
 *   <li>Everything held is reclaimed, because the missing changes may have reclaimed it and granted it to somebody
 *       else. Its holder's generation is no longer accepted, and the holder's next heartbeat reports the loss. A holder
 *       whose grant is among the missing changes has a generation that this database never issued, and is refused too.
 *   <li>Every later grant, whether its row was held, free, done or no longer exists, gets a generation at least a
 *       million above the highest one present. Each missing grant raised a generation by only one, so no missing
 *       generation is ever issued again. Event ids jump in the same way, so that followers that saw missing events do
 *       not skip new ones.
 * </ol>
 *
 * <p>A return to an earlier state without a new timeline is not detected, such as a restored disk snapshot. In that
 * case run {@code SELECT fence_out_everybody('why')} by hand before starting the brokers.
 */
final class Failovers {
    private static final Logger LOG = LoggerFactory.getLogger(Failovers.class);

    /** Read at the start of every session; null if the server is not the known one. */
    static final String COLUMN = "least_generation() AS least_generation";

    private final PostgresConnections longRunning;
    private final AtomicLong least = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param longRunning sessions whose statements may take long; they do not check for failovers themselves */
    Failovers(PostgresConnections longRunning) {
        this.longRunning = longRunning;
    }

    /** The lowest generation that a grant may have; never lower than what any open session has seen. */
    long leastGeneration() {
        return least.get();
    }

    /** The listener is called after everybody was fenced out: anything cached from the store may be wrong. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** False if {@link #notice} must run first. */
    boolean known(ResultSet shown) throws SQLException {
        long required = shown.getLong("least_generation");
        if (shown.wasNull()) {
            return false;
        }
        if (least.getAndAccumulate(required, Math::max) < required) {
            listeners.forEach(Runnable::run);
        }
        return true;
    }

    void notice() throws SQLException {
        try (Connection connection = longRunning.getConnection();
                Statement statement = connection.createStatement();
                ResultSet noticed = statement.executeQuery("SELECT notice_failover(), current_server()")) {
            noticed.next();
            long held = noticed.getLong(1);
            if (!noticed.wasNull()) {
                LOG.warn(
                        "PostgreSQL is a different server now ({}): changes may be missing, so {} claims were reclaimed and"
                                + " generations continue from a higher number",
                        noticed.getString(2),
                        held);
            }
        }
    }

    /** Some servers do not reveal their identity; warn operators of the consequences. */
    void warnIfUndetectable() throws SQLException {
        try (Connection connection = longRunning.getConnection();
                Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery("SELECT current_server()")) {
            server.next();
            if (server.getString(1) == null) {
                LOG.warn("this PostgreSQL does not reveal its system identifier and timeline (pg_control_system,"
                        + " pg_walfile_name), so a failover would go unnoticed; see docs/guarantees.md");
            }
        }
    }
}
