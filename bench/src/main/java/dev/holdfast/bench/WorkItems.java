package dev.holdfast.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Things to claim, inserted in bulk behind the store's back before measuring; and a look at them afterwards. */
interface WorkItems extends AutoCloseable {
    /** Creates things of this kind with the ids 1 to this many. */
    void make(int rows, String kind) throws SQLException;

    /** Adds this many finished ones, from earlier days. */
    void finished(int rows) throws SQLException;

    long count(String query) throws SQLException;

    /** Transactions committed in this database so far. */
    long commits() throws SQLException;

    @Override
    void close() throws SQLException;

    /** On PostgreSQL, with set-based statements. */
    record OnPostgres(String url) implements WorkItems {
        @Override
        public void make(int rows, String kind) throws SQLException {
            PostgresServer.execute(
                    url,
                    "INSERT INTO resources (key, kind, state) SELECT '" + kind + ":' || i, '" + kind
                            + "', 'ready' FROM generate_series(1, " + rows + ") AS i",
                    "VACUUM ANALYZE resources",
                    "CHECKPOINT");
        }

        @Override
        public void finished(int rows) throws SQLException {
            PostgresServer.execute(
                    url,
                    "INSERT INTO resources (key, kind, state, generation) SELECT 'work:old-' || i, 'work', 'done', 1"
                            + " FROM generate_series(1, " + rows + ") AS i");
        }

        @Override
        public long count(String query) throws SQLException {
            return Long.parseLong(PostgresServer.value(url, query));
        }

        @Override
        public long commits() throws SQLException {
            return count("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
        }

        @Override
        public void close() {}
    }

    /** In SQLite's file, over its own connection. */
    record OnSqlite(Path folder) implements WorkItems {
        @Override
        public void make(int rows, String kind) throws SQLException {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < "
                        + rows + ") INSERT INTO resources (key, kind, state) SELECT '" + kind + ":' || id, '" + kind
                        + "', 'ready' FROM ids");
                statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        }

        @Override
        public void finished(int rows) throws SQLException {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < "
                        + rows + ") INSERT INTO resources (key, kind, state, generation)"
                        + " SELECT 'work:old-' || id, 'work', 'done', 1 FROM ids WHERE id <= " + rows);
            }
        }

        @Override
        public long count(String query) throws SQLException {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement();
                    ResultSet results = statement.executeQuery(query)) {
                results.next();
                return results.getLong(1);
            }
        }

        @Override
        public long commits() {
            return 0;
        }

        private Connection connect() throws SQLException {
            return DurableSqlite.open(folder.resolve("holdfast.db"));
        }

        @Override
        public void close() {}
    }
}
