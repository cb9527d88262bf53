package dev.holdfast.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

/** A separate connection to an SQLite file, with the settings of {@code SqliteStore}: WAL, every commit synced. */
final class DurableSqlite {
    private DurableSqlite() {}

    static Connection open(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        return config.createConnection("jdbc:sqlite:" + file);
    }
}
