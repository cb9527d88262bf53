package dev.holdfast.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/**
 * A store in a local folder: SQLite in WAL mode, with every commit synced to disk, one writer whose commits all waiting
 * callers share, and readers on separate connections. One process per folder.
 */
public final class SqliteStore extends Store {
    private static final int READERS = 4;

    /** Kilobytes of pages that each reader keeps in memory, taken up as the store grows. */
    private static final int READER_CACHE = 8_000;

    /** The same of the writer. */
    private static final int WRITER_CACHE = 16_000;

    private static final String FILE = "holdfast.db";

    private static final Sql LATEST_STORED_TIME = Sql.of("SELECT latest FROM latest_time");

    private final Runnable release;
    private final HikariDataSource readers;
    private final Map<SQLiteConnection, KeptStatements> prepared = new ConcurrentHashMap<>();
    private final LeaseClock clock;
    private final SqliteWriter writer;

    /** Opens the store in this folder, creating it if necessary, with this process's lease clock. */
    public static SqliteStore open(Path folder) {
        return open(folder, SqliteStore::ownClock);
    }

    /** Opens the store in a folder that the caller has reserved; it stays reserved when the store is closed. */
    public static SqliteStore open(FolderLock reserved) {
        return open(reserved.folder(), SqliteStore::ownClock, () -> {});
    }

    private static LeaseClock ownClock(long latest) {
        return new ProcessClock(Clock.systemUTC(), System::nanoTime, BootTime.ofThisMachine(), latest);
    }

    /** Opens the store with a clock made from the latest time stored in it. */
    public static SqliteStore open(Path folder, LongFunction<LeaseClock> clock) {
        FolderLock lock = FolderLock.take(folder);
        return open(lock.folder(), clock, lock::close);
    }

    private static SqliteStore open(PrivateFolder folder, LongFunction<LeaseClock> clock, Runnable release) {
        try {
            // SQLite gives the files that it creates next to this one the same permissions
            return new SqliteStore(folder.file(FILE), clock, release);
        } catch (SQLException | IOException e) {
            release.run();
            throw new StoreException("cannot open the store in " + folder.path() + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
    }

    /**
     * Creates the tables of a given schema version, possibly an older one, in a folder without a store.
     *
     * @throws StoreException if there is a store, or the schema is newer than this program
     */
    public static void makeEmpty(Path folder, int schema) throws SQLException, IOException {
        Path file = PrivateFolder.make(folder, true).file(FILE);
        Migrations.make(source(file, WRITER_CACHE), Engine.SQLITE, schema);
    }

    private static SQLiteDataSource source(Path file, int cache) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        config.setCacheSize(-cache); // negative: kilobytes, not pages
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    private SqliteStore(Path file, LongFunction<LeaseClock> clock, Runnable release) throws SQLException {
        super(Engine.SQLITE);
        this.release = release;
        SQLiteDataSource written = source(file, WRITER_CACHE);
        Migrations.run(written, Engine.SQLITE);

        HikariConfig pool = new HikariConfig();
        pool.setDataSource(source(file, READER_CACHE));
        pool.setMaximumPoolSize(READERS);
        pool.setMinimumIdle(1);
        pool.setAutoCommit(false);
        pool.setPoolName("holdfast-readers");
        pool.setConnectionInitSql("PRAGMA query_only = true");
        readers = new HikariDataSource(pool);

        try {
            this.clock = clock.apply(latestStoredTime());
        } catch (RuntimeException e) {
            readers.close();
            throw e;
        }
        writer = new SqliteWriter(written, this.clock, this::observer);
    }

    private long latestStoredTime() {
        LeaseClock none = _ -> () -> 0L;
        return readWith(
                none,
                transaction -> transaction
                        .first(LATEST_STORED_TIME, _ -> {}, row -> row.number("latest"))
                        .orElse(0L));
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        return writer.submit(1, work);
    }

    @Override
    public <T> T write(Work<T> work) {
        return Await.of(submit(work));
    }

    /** Whether this thread is writing now, or announcing what it wrote; if so, it must not wait for another write. */
    public boolean isWriting() {
        return writer.isWriting();
    }

    /** As {@link #write(Work)}, for work that serves this many callers. */
    public <T> T write(int callers, Work<T> work) {
        return Await.of(writer.submit(callers, work));
    }

    @Override
    public <T> T read(Work<T> work) {
        return readWith(clock, work);
    }

    private <T> T readWith(LeaseClock clock, Work<T> work) {
        try (Connection connection = readers.getConnection()) {
            SQLiteConnection own = connection.unwrap(SQLiteConnection.class);
            try {
                return work.in(new Transaction(own, Engine.SQLITE, clock, preparedOn(own), 0));
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    /** A reader's statements: preparing one often takes longer than running it. */
    private KeptStatements preparedOn(SQLiteConnection reader) throws SQLException {
        KeptStatements known = prepared.get(reader);
        if (known == null) {
            for (SQLiteConnection other : List.copyOf(prepared.keySet())) {
                if (other.isClosed()) {
                    prepared.remove(other);
                }
            }
            known = new KeptStatements(reader, Engine.SQLITE);
            prepared.put(reader, known);
        }
        return known;
    }

    @Override
    public void close() {
        writer.close();
        readers.close();
        release.run();
    }

    static StoreException explained(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return new BusyException("the disk that holds the store is full; nothing was changed. Free some space", e);
        }
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return new BusyException("another process has locked the store's file; nothing was changed", e);
        }
        if (code == SQLiteErrorCode.SQLITE_IOERR.code || code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            return new BusyException("the disk that holds the store does not answer: " + e.getMessage(), e);
        }
        return new StoreException("the store refused a statement: " + e.getMessage(), e);
    }
}
