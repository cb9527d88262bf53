package dev.holdfast.broker.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.stream.Stream;

/** A day that a store has never seen, for pictures: how much waited, hour by hour. */
final class History {
    private History() {}

    static void write(Path folder) {
        long now = Instant.now().getEpochSecond() / 60;
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file(folder));
                PreparedStatement row = store.prepareStatement(
                        "INSERT OR REPLACE INTO queue_samples (minute, kind, ready, held, oldest_seconds) VALUES (?, ?, ?, ?, ?)")) {
            store.createStatement().execute("PRAGMA busy_timeout = 5000");
            for (int hour = 1; hour <= 24; hour++) {
                add(row, now - hour * 60L + 5, "work", 8 + (long) (6 * Math.sin(hour / 3.0) + 6), 0);
                add(row, now - hour * 60L + 5, "review", 9 + (long) (7 * Math.sin(hour / 2.0)), 240 + (long) (700 * (1 + Math.sin(hour / 2.0))));
                add(row, now - hour * 60L + 5, "step", 3 + (long) (3 * Math.cos(hour / 2.5)), 0);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(PreparedStatement row, long minute, String kind, long ready, long oldest) throws SQLException {
        row.setLong(1, minute);
        row.setString(2, kind);
        row.setLong(3, ready);
        row.setLong(4, 2);
        row.setLong(5, oldest);
        row.execute();
    }

    private static Path file(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(db|sqlite3?)"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
