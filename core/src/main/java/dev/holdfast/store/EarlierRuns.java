package dev.holdfast.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of one change whose outcome is not known, because their connections broke. They must be over before the change is
 * run again. PostgreSQL does not notice that a client is gone while it works or waits for a lock, and the client's last
 * request may still be on its way: such a run would be committed after the caller has been answered with what a later one
 * found, and leave a claim that nobody was told of.
 *
 * <ol>
 *   <li>Every session takes an advisory lock of its own when it begins, and keeps it to its end; where a pooler shares sessions
 *       among transactions, every transaction does ({@link RunMark}).
 *   <li>Before the next run, and on its connection, PostgreSQL is told to end whoever still holds the lock of an earlier one;
 *       then that lock is waited for. PostgreSQL gives it up only after the commit or the rollback, so whoever gets it knows that
 *       nothing more can come, and sees what has come.
 *   <li>A commit that was waiting for a synchronous standby when its session was ended is seen before the standby has it. So
 *       something is written after it, whose own commit waits for both: what the next run finds is not answered sooner.
 *   <li>If the lock is not given up within {@code lock_timeout}, that counts as an outage: it is tried again for as long as one
 *       is borne, and then the answer is busy. The change is not run meanwhile.
 * </ol>
 *
 * <p>A lock says more than the number of the process: numbers are used again, a pooler makes them up, and after a crash or a
 * promotion they mean somebody else. A lock is gone with its holder. After a crash there is none, and on a promoted standby
 * there never was one: rightly so, because what still runs on the former primary cannot be committed here. The healthy way has
 * no round trip more: the lock is taken by the query that looks at the settings.
 */
public final class EarlierRuns {
    private static final String CONNECTION_FAILURE = "08006";

    private final List<RunMark> marks = new ArrayList<>(0);

    void add(RunMark mark) {
        marks.add(mark);
    }

    /** @throws SQLException as if the connection had broken, when one of them may still be running */
    void end(Connection connection) throws SQLException {
        if (marks.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (RunMark mark : marks) {
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
