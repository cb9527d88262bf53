package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What scenarios work with: a PostgreSQL cluster and folders for this run only, deleted on close. */
final class Lab implements AutoCloseable {
    private final Path folder;
    private final Duration warmUp;
    private final Duration measured;
    private final AtomicInteger made = new AtomicInteger();
    private @Nullable PostgresServer server;
    private @Nullable RawLoad rawLoad;

    Lab(Duration warmUp, Duration measured) throws IOException {
        folder = Files.createTempDirectory("holdfast-bench-");
        this.warmUp = warmUp;
        this.measured = measured;
    }

    Duration warmUp() {
        return warmUp;
    }

    Duration measured() {
        return measured;
    }

    /** How many rows are enough for a run at this many per second, including the warm-up. */
    int rowsFor(int perSecond) {
        return Math.toIntExact(perSecond * (warmUp.toSeconds() + measured.toSeconds() + 1));
    }

    synchronized PostgresServer server() throws Exception {
        PostgresServer running = server;
        if (running == null) {
            running = PostgresServer.start(folder());
            server = running;
        }
        return running;
    }

    synchronized RawLoad rawLoad() throws Exception {
        RawLoad load = rawLoad;
        if (load == null) {
            load = RawLoad.on(server(), folder());
            rawLoad = load;
        }
        return load;
    }

    synchronized boolean usedPostgres() {
        return server != null;
    }

    Path folder() throws IOException {
        return Files.createDirectory(folder.resolve("f" + made.incrementAndGet()));
    }

    Yardstick yardstick(Engine store) throws Exception {
        return switch (store) {
            case POSTGRES -> new PostgresYardstick(server(), rawLoad());
            case SQLITE -> new SqliteYardstick(folder());
        };
    }

    /** An empty store: a PostgreSQL address, or a folder for SQLite. */
    String place(Engine engine) throws Exception {
        return engine == Engine.POSTGRES
                ? server().newDatabase()
                : folder().resolve("data").toString();
    }

    void remove(Engine engine, String place) throws Exception {
        if (engine == Engine.POSTGRES) {
            server().drop(place);
        } else {
            delete(Path.of(place));
        }
    }

    Figure on(Engine engine, ChildJvm jvm) throws Exception {
        return engine == Engine.POSTGRES ? onPostgres(jvm) : onSqlite(jvm);
    }

    /** Runs it on an empty PostgreSQL database, which is dropped afterwards. */
    Figure onPostgres(ChildJvm jvm) throws Exception {
        String url = server().newDatabase();
        Figure figure = jvm.with("store", url).run();
        server().drop(url);
        return figure;
    }

    /** The same on SQLite. */
    Figure onSqlite(ChildJvm jvm) throws Exception {
        Path files = folder();
        Figure figure = jvm.with("store", files).run();
        delete(files);
        return figure;
    }

    ChildJvm jvm(Class<?> main) {
        return ChildJvm.of(main).with("warm", warmUp.toMillis()).with("measured", measured.toMillis());
    }

    @Override
    public synchronized void close() throws IOException {
        if (server != null) {
            server.close();
            server = null;
        }
        delete(folder);
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
