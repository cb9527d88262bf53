package dev.holdfast.broker.race;

import dev.holdfast.task.FinalizationAnswer;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.TaskState;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finalizations as a program has them that knows no broker, only the SQL functions; each connection has another time zone.
 * A call whose answer was lost is made again.
 */
final class SqlFinalizations implements Finalizations {
    private static final List<String> ZONES =
            List.of("UTC", "America/New_York", "Asia/Tokyo", "Pacific/Chatham", "Asia/Kathmandu");

    private final String database;
    private @Nullable Connection open;

    SqlFinalizations(String database) {
        this.database = database;
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        return call(
                "SELECT * FROM claim_task_for_finalization(?, ?, ?, ?)",
                row -> new Claimed(
                        answer(row),
                        row.getString("already_claimed_by"),
                        row.getString("task_state"),
                        row.getString("message"),
                        row.getObject("claim_generation", Long.class),
                        row.getObject("requested_seq", Long.class)),
                taskId,
                processor,
                timeout == null ? null : Integer.valueOf((int) timeout.toSeconds()),
                generation);
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        return call(
                "SELECT release_finalization_claim(?, ?, ?, ?)",
                row -> row.getBoolean(1),
                taskId,
                processor,
                generation,
                handledSeq);
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        return call(
                "SELECT * FROM finish_task(?, ?, ?, ?, ?)",
                row -> new Finished(
                        answer(row),
                        row.getString("task_state"),
                        row.getObject("requested_seq", Long.class),
                        row.getString("message")),
                taskId,
                processor,
                generation,
                handledSeq,
                outcome == null ? null : outcome.toString());
    }

    private static FinalizationAnswer answer(ResultSet row) throws SQLException {
        return FinalizationAnswer.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT));
    }

    private <T> T call(String function, Reader<T> reader, @Nullable Object... arguments) {
        while (true) {
            try (PreparedStatement statement = connection().prepareStatement(function)) {
                for (int i = 0; i < arguments.length; i++) {
                    statement.setObject(i + 1, arguments[i]);
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return reader.read(row);
                }
            } catch (SQLException e) {
                refuseUnlessItIsAway(e);
                LockSupport.parkNanos(
                        Duration.ofMillis(ThreadLocalRandom.current().nextInt(20, 200))
                                .toNanos());
            }
        }
    }

    /** Class 08: the connection is gone; 57P: the server goes, is gone, or is on its way back; 53: too many are there. */
    private void refuseUnlessItIsAway(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (!state.startsWith("08") && !state.startsWith("57P") && !state.startsWith("53")) {
            throw new IllegalStateException(e);
        }
        open = null;
    }

    private Connection connection() throws SQLException {
        Connection connection = open;
        if (connection == null) {
            connection = DriverManager.getConnection(database);
            open = connection;
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TIME ZONE '"
                        + ZONES.get(ThreadLocalRandom.current().nextInt(ZONES.size())) + "'");
            }
        }
        return connection;
    }
}
