package dev.holdfast.testing;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SessionSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server for all tests of this JVM; every test that asks gets its own database on it. */
public final class TestPostgres {
    private static final String TEMPLATE = "holdfast_template";

    private final EmbeddedPostgres server;
    private final AtomicInteger databases = new AtomicInteger();

    private TestPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    private static final class Shared {
        private static final TestPostgres SERVER = start();
    }

    /** A new database with tables, on the server that all tests share; as a JDBC address. */
    public static String freshDatabase() {
        return Shared.SERVER.fromTemplate();
    }

    /** A new database without tables. */
    public static String emptyDatabase() {
        return Shared.SERVER.create("template0");
    }

    /** A new database that is a copy of this one, which must not be in use. */
    public static String copy(String address) {
        return Shared.SERVER.create(address.replaceAll(".*/|\\?.*", ""));
    }

    /** Runs one statement in this database. */
    public static void execute(String address, String sql) {
        try (Connection connection = connect(address);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot run " + sql + ": " + e.getMessage(), e);
        }
    }

    public static Connection connect(String address) {
        try {
            return DriverManager.getConnection(address);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to " + address, e);
        }
    }

    /** To look at plans: they are made as in the broker's own sessions. */
    public static Connection connectAsBroker(String address) throws SQLException {
        Connection connection = connect(address);
        SessionSettings.OURS.applyTo(connection);
        return connection;
    }

    /** A server for one test only, which may break it; the caller closes it. */
    public static EmbeddedPostgres ownServer() {
        try {
            return onRoomyFolder(EmbeddedPostgres.builder()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TestPostgres start() {
        try {
            EmbeddedPostgres server = onRoomyFolder(EmbeddedPostgres.builder())
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("max_prepared_transactions", "10")
                    // these tests kill processes, never the machine
                    .setServerConfig("fsync", "off")
                    // its log would take a gigabyte of memory
                    .setServerConfig("max_wal_size", "128MB")
                    // hundreds of databases live for a second each, and its workers would visit them in turn
                    .setServerConfig("autovacuum", "off")
                    .start();
            TestPostgres shared = new TestPostgres(server);
            execute(shared.address("postgres"), "CREATE DATABASE " + TEMPLATE);
            PostgresStore.open(shared.address(TEMPLATE)).close();
            // a copy counts as a restored backup, unless its template has no known server
            execute(shared.address(TEMPLATE), "UPDATE known_server SET server = NULL");
            return shared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres.Builder onRoomyFolder(EmbeddedPostgres.Builder server) {
        return server.setDataDirectory(TemporaryFolders.createRoomy());
    }

    private String fromTemplate() {
        return create(TEMPLATE);
    }

    private String create(String template) {
        String name = "test_" + databases.incrementAndGet();
        // files are copied; the usual way, block by block through the log, takes ten times as long
        execute(address("postgres"), "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy");
        return address(name);
    }

    private String address(String database) {
        return server.getJdbcUrl("postgres", database);
    }
}
