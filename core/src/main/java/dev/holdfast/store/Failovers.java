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
 * Notices that the database has become another one: a standby that was promoted, or a backup that was restored. An
 * asynchronous standby may lack the last changes that were acknowledged, and then it would grant once more what was
 * granted already, with the same generation: two holders with the same right.
 *
 * <ol>
 *   <li>A server is known by its system identifier and its time line, which every promotion and every recovery from an
 *       archive makes another, and by the ids of the database and of a table, which are others after a copy and after a dump
 *       was restored. The one that the last change was made on stands in {@code known_server}, in the database
 *       itself, and so comes along with whatever part of the changes has come.
 *   <li>A session lives on one server: a failover ends it, and none is opened on a standby, which could be promoted under
 *       it. So to look once, when a session begins, is enough, and nothing is granted in a session before that.
 *   <li>Whoever sees another server than the known one fences everybody out, in one transaction under the lock of that
 *       row, while all others that begin a session wait for it. Afterwards the server is known.
 *   <li>What is held is taken back, because it may have been taken back and given to somebody else in the part that is
 *       missing: its holder's generation opens no door any more, and the next heartbeat says so. Whoever was given it in
 *       the missing part has a generation that this database has never given, and is refused as well.
 *   <li>Everything that is granted later, whether its row was held, free, done or is not there any more, gets a generation
 *       of at least a million above the highest that is here. Those that are missing were above those that are here by one
 *       for each grant, so that none of them is ever given again. The ids of events go on in the same way, so that
 *       followers who have seen missing ones miss none of the new ones.
 * </ol>
 *
 * <p>Not noticed is what brings another past along without another time line: a disk that was set back to an earlier state.
 * Then {@code SELECT fence_out_everybody('why')} does it by hand, before the brokers are started.
 */
final class Failovers {
    private static final Logger LOG = LoggerFactory.getLogger(Failovers.class);

    /** Read at the start of every session; null: the server is not the known one. */
    static final String COLUMN = "least_generation() AS least_generation";

    private final PostgresConnections unhurried;
    private final AtomicLong least = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param unhurried sessions whose statements may take long; they do not look for failovers themselves */
    Failovers(PostgresConnections unhurried) {
        this.unhurried = unhurried;
    }

    /** The least generation that a grant may have; never less than what any open session has seen. */
    long leastGeneration() {
        return least.get();
    }

    /** Told after everybody was fenced out: what is remembered of the store may be wrong. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** False when something has to be noticed first. */
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
        try (Connection connection = unhurried.getConnection();
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

    /** Some servers do not identify themselves; their operators should know what that means. */
    void warnIfUndetectable() throws SQLException {
        try (Connection connection = unhurried.getConnection();
                Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery("SELECT current_server()")) {
            server.next();
            if (server.getString(1) == null) {
                LOG.warn("this PostgreSQL does not reveal its system identifier and time line (pg_control_system,"
                        + " pg_walfile_name), so a failover would go unnoticed; see docs/guarantees.md");
            }
        }
    }
}
