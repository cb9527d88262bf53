package dev.holdfast.broker;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL for all tests of this process, with a new database for each that asks. */
public final class TestPostgres {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgres() {}

    /** Started by the first who asks; ends with the process. */
    private static final class Server {
        private static final EmbeddedPostgres ONE = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static String newDatabase() {
        String name = "broker_" + DATABASES.incrementAndGet();
        try (Connection connection = Server.ONE.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return "postgres://postgres@localhost:" + Server.ONE.getPort() + "/" + name;
    }
}
