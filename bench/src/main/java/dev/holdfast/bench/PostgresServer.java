package dev.holdfast.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A PostgreSQL cluster for this run only, with durable commits. */
abstract class PostgresServer implements AutoCloseable {
    /** Everything else is PostgreSQL's default. */
    static final Map<String, String> SETTINGS = settings();

    private final int port;
    private final Path data;
    private final AtomicInteger databases = new AtomicInteger();

    PostgresServer(Path data) throws IOException {
        this.data = data;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    /** The installed server if there is one, otherwise the bundled one. */
    static PostgresServer start(Path folder) throws Exception {
        Optional<Path> installed = InstalledPostgres.binaries();
        PostgresServer server =
                installed.isPresent() ? new InstalledPostgres(installed.get(), folder) : new BundledPostgres(folder);
        try {
            server.start();
            server.proveDurable();
        } catch (Exception e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("shared_buffers", "1GB");
        settings.put("max_wal_size", "8GB");
        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        settings.put("full_page_writes", "on");
        return settings;
    }

    abstract void start() throws Exception;

    @Override
    public abstract void close();

    int port() {
        return port;
    }

    Path data() {
        return data;
    }

    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** Creates an empty database and returns its address. */
    String newDatabase() throws SQLException {
        String name = "run" + databases.incrementAndGet();
        execute(url("postgres"), "CREATE DATABASE " + name);
        return url(name);
    }

    void drop(String url) throws SQLException {
        String name = url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
        execute(url("postgres"), "DROP DATABASE " + name + " WITH (FORCE)");
    }

    static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static String value(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(query)) {
            results.next();
            return results.getString(1);
        }
    }

    /** Sends SIGKILL to the postmaster, like a crash; returns when all its processes are gone. */
    void kill() throws Exception {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        var children = postmaster.children().toList();
        postmaster.destroyForcibly();
        postmaster.onExit().get(10, TimeUnit.SECONDS);
        for (ProcessHandle child : children) {
            child.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    private void proveDurable() throws SQLException {
        for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
            String value = value(url("postgres"), "SHOW " + setting.getKey());
            if (!value.equals(setting.getValue())) {
                throw new IllegalStateException(setting.getKey() + " is " + value + ", not " + setting.getValue());
            }
        }
    }
}
