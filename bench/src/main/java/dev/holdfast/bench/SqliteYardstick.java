package dev.holdfast.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One-row updates on one connection, each synced to disk. */
final class SqliteYardstick implements Yardstick {
    private static final int ROWS = 10_000;

    private final Path file;

    SqliteYardstick(Path folder) throws SQLException {
        file = folder.resolve("yard.db");
        try (Connection connection = DurableSqlite.open(file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE yard (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
            statement.execute("WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < " + ROWS
                    + ") INSERT INTO yard SELECT id, 0 FROM ids");
        }
    }

    @Override
    public double measure() throws Exception {
        long commits = 0;
        long start = System.nanoTime();
        try (Connection connection = DurableSqlite.open(file);
                PreparedStatement update = connection.prepareStatement("UPDATE yard SET n = n + 1 WHERE id = ?")) {
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
                update.setInt(1, ThreadLocalRandom.current().nextInt(1, ROWS));
                update.executeUpdate();
                commits++;
            }
        }
        return commits / ((System.nanoTime() - start) / 1e9);
    }
}
