package dev.holdfast.broker.race;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TemporaryFolders;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What a race runs on: a store of its own, which it may break. */
interface Ground extends AutoCloseable {
    static Ground on(Engine engine) throws IOException {
        return switch (engine) {
            case SQLITE -> new Sqlite(TemporaryFolders.create());
            case POSTGRES -> new Postgres(TemporaryFolders.create());
        };
    }

    BrokerProcess.Start start();

    /** How many brokers may use it at once. */
    int brokers();

    /** A JDBC address. */
    String database();

    /** The database goes away and comes back, politely or not; false: it is part of the broker. */
    boolean breakDown(boolean politely) throws IOException, SQLException;

    @Override
    void close() throws IOException;

    record Sqlite(Path folder) implements Ground {
        @Override
        public BrokerProcess.Start start() {
            return BrokerProcess.Start.onSqlite(folder);
        }

        @Override
        public int brokers() {
            return 1;
        }

        @Override
        public String database() {
            return "jdbc:sqlite:" + folder.resolve("holdfast.db");
        }

        @Override
        public boolean breakDown(boolean politely) {
            return false;
        }

        @Override
        public void close() {
            TestStore.delete(folder);
        }
    }

    final class Postgres implements Ground {
        private final Path folder;
        private EmbeddedPostgres server;

        private Postgres(Path folder) throws IOException {
            this.folder = folder;
            server = serverOn(0);
        }

        private EmbeddedPostgres serverOn(int port) throws IOException {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("data"))
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "off") // the machine stays
                    .setPort(port)
                    .start();
        }

        @Override
        public BrokerProcess.Start start() {
            return BrokerProcess.Start.onPostgres(database());
        }

        @Override
        public int brokers() {
            return 2;
        }

        @Override
        public String database() {
            return server.getJdbcUrl("postgres", "postgres");
        }

        @Override
        public boolean breakDown(boolean politely) throws IOException, SQLException {
            if (politely) {
                int port = server.getPort();
                server.close();
                server = serverOn(port);
            } else {
                crash();
            }
            return true;
        }

        /** SIGKILL of one backend makes the server end all others, lose its memory and recover from its log. */
        private void crash() throws SQLException {
            try (Connection connection = TestPostgres.connect(database());
                    Statement statement = connection.createStatement();
                    ResultSet own = statement.executeQuery("SELECT pg_backend_pid()")) {
                own.next();
                ProcessHandle.of(own.getLong(1)).orElseThrow().destroyForcibly();
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            TestStore.delete(folder);
        }
    }
}
