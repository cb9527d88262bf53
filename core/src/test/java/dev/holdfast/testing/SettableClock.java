package dev.holdfast.testing;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A lease clock that stands still until the test moves it. */
public final class SettableClock implements AutoCloseable {
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final AtomicLong micros = new AtomicLong(ChronoUnit.MICROS.between(Instant.EPOCH, START));
    /** To the database that is told the time; null: it asks for it. */
    private final @Nullable Connection database;

    private SettableClock(@Nullable Connection database) {
        this.database = database;
        tell();
    }

    /** For SQLite, which asks this process for the time; see {@link #leaseClock}. */
    public static SettableClock inProcess() {
        return new SettableClock(null);
    }

    /** Replaces the database's own clock with the test's. */
    public static SettableClock in(String postgresAddress) {
        TestPostgres.execute(postgresAddress, """
                CREATE TABLE test_clock (now timestamptz NOT NULL);
                CREATE OR REPLACE FUNCTION lease_clock() RETURNS timestamptz LANGUAGE sql VOLATILE
                    AS 'SELECT now FROM test_clock'
                """);
        TestPostgres.execute(postgresAddress, "INSERT INTO test_clock VALUES ('" + START + "')");
        return new SettableClock(TestPostgres.connect(postgresAddress));
    }

    /** For the store at this PostgreSQL address, or on SQLite if there is none. */
    public static SettableClock of(@Nullable String postgresAddress) {
        return postgresAddress == null ? inProcess() : in(postgresAddress);
    }

    /** Opens the store that it is for. */
    public Store open(@Nullable String postgresAddress, Path sqliteFolder) {
        return postgresAddress == null
                ? SqliteStore.open(sqliteFolder, _ -> leaseClock())
                : PostgresStore.open(postgresAddress);
    }

    private void tell() {
        if (database == null) {
            return;
        }
        try (PreparedStatement set = database.prepareStatement("UPDATE test_clock SET now = ?")) {
            set.setObject(1, now().atOffset(ZoneOffset.UTC));
            set.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public LeaseClock leaseClock() {
        return _ -> {
            long now = micros.get();
            return () -> now;
        };
    }

    public Instant now() {
        return Instant.EPOCH.plus(micros.get(), ChronoUnit.MICROS);
    }

    public void advance(Duration step) {
        micros.addAndGet(step.toNanos() / 1_000);
        tell();
    }

    public void reset() {
        micros.set(ChronoUnit.MICROS.between(Instant.EPOCH, START));
        tell();
    }

    /** It stands still for good. */
    @Override
    public void close() {
        if (database != null) {
            try {
                database.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
