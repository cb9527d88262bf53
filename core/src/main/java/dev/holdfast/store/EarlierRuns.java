package dev.holdfast.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of one change whose outcome is unknown because their connections broke. They must be over before the change
 * runs again. PostgreSQL does not notice that a client is gone while it works or waits for a lock, and the client's
 * last request may still be in flight. Such a run could commit after the caller was answered with the result of a later
 * run, and leave a claim that nobody knows of.
 *
 * <ol>
 *   <li>Every session takes its own advisory lock when it starts and keeps it until it ends. Where a pooler shares
 *       sessions among transactions, every transaction takes one instead ({@link RunLock}).
 *   <li>Before the next run, on its new connection, we tell PostgreSQL to terminate whichever session still holds an
 *       earlier run's lock, then wait for that lock. PostgreSQL releases it only after commit or rollback, so once we
 *       have it, the earlier run can change nothing more, and its changes are visible.
 *   <li>A commit that was waiting for a synchronous standby when its session was terminated becomes visible before the
 *       standby has it. So the next run also writes something, and its own commit waits until the standby has both;
 *       only then is the caller answered.
 *   <li>If the lock is not released within {@code lock_timeout}, that counts as an outage: we retry as long as outages
 *       are tolerated, then answer busy. The change does not run in the meantime.
 * </ol>
 *
 * <p>A lock is more reliable than a process id: ids are reused, a pooler makes them up, and after a crash or a
 * promotion they belong to other processes. A lock disappears with its holder. After a crash there is none, and on a
 * promoted standby there never was one, which is correct: what still runs on the former primary cannot commit here. In
 * the normal case this needs no extra round trip: the query that checks the settings also takes the lock.
 */
public final class EarlierRuns {
    private static final String CONNECTION_FAILURE = "08006";

    private final List<RunLock> marks = new ArrayList<>(0);

    void add(RunLock mark) {
        marks.add(mark);
    }

    /** @throws SQLException with the state of a broken connection, if one of the runs may still be active */
    void end(Connection connection) throws SQLException {
        if (marks.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (RunLock mark : marks) {
                statement.execute(mark.endHolder());
                statement.execute("SELECT " + mark.heldByTransaction());
            }
            statement.execute("SELECT pg_logical_emit_message(true, 'holdfast', '')");
        } catch (SQLException e) {
            throw new SQLException(
                    "a session whose connection broke has not ended yet: " + e.getMessage(), CONNECTION_FAILURE, e);
        }
    }
}
