package dev.holdfast.bench;

import java.sql.SQLException;

/** One-row updates by primary key on 8 connections, each committed. */
final class PostgresYardstick implements Yardstick {
    private static final String STATEMENT = """
            UPDATE yard SET n = n + 1 WHERE id = (SELECT 1 + floor(random() * 100000)::int) RETURNING n""";
    private static final int CONNECTIONS = 8;

    private final String url;
    private final RawLoad load;

    PostgresYardstick(PostgresServer server, RawLoad load) throws SQLException {
        url = server.newDatabase();
        this.load = load;
        PostgresServer.execute(
                url,
                "CREATE TABLE yard (id int PRIMARY KEY, n bigint NOT NULL, filler text) WITH (fillfactor = 70)",
                "INSERT INTO yard SELECT i, 0, repeat('x', 80) FROM generate_series(1, 100000) AS i",
                "VACUUM ANALYZE yard");
    }

    @Override
    public double measure() throws Exception {
        return load.run(url, STATEMENT, CONNECTIONS, SECONDS).perSecond();
    }
}
