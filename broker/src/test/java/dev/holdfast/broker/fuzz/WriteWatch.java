package dev.holdfast.broker.fuzz;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sees every row that is written in a store, whatever the table, by triggers; and cheaply, whether any was. */
final class WriteWatch implements AutoCloseable {
    private static final String LOG = "fuzz_writes";

    private final Connection connection;
    private final boolean postgres;
    private final PreparedStatement version;
    private final PreparedStatement rows;
    private long lastVersion;

    /** @param address of a database with its tables, as JDBC has it */
    WriteWatch(String address) throws SQLException {
        connection = DriverManager.getConnection(address);
        postgres = address.startsWith("jdbc:postgresql:");
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + LOG + " (id "
                    + (postgres ? "bigserial PRIMARY KEY" : "INTEGER PRIMARY KEY AUTOINCREMENT")
                    + ", what text NOT NULL)");
            for (String table : tables(statement)) {
                if (postgres) {
                    statement.execute(postgresTrigger(table));
                } else {
                    for (String change : List.of("INSERT", "UPDATE", "DELETE")) {
                        statement.execute(sqliteTrigger(table, change));
                    }
                }
            }
        }
        version = connection.prepareStatement(
                postgres ? "SELECT last_value + is_called::int FROM " + LOG + "_id_seq" : "PRAGMA data_version");
        rows = connection.prepareStatement("DELETE FROM " + LOG + " RETURNING id, what");
        written();
    }

    private List<String> tables(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(
                postgres
                        ? "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                        : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        tables.removeIf(table -> table.equals(LOG) || table.startsWith("flyway"));
        return tables;
    }

    private static String what(String table, String row) {
        return switch (table) {
            case "resources" -> " || ' ' || " + row + ".key";
            case "events" ->
                " || ' ' || " + row + ".type || ' ' || " + row + ".resource || ' ' || coalesce(" + row + ".actor, '')";
            default -> "";
        };
    }

    private static String sqliteTrigger(String table, String change) {
        return "CREATE TRIGGER fuzz_%1$s_%2$s AFTER %2$s ON %1$s BEGIN INSERT INTO %3$s (what) VALUES ('%2$s %1$s'%4$s); END"
                .formatted(table, change, LOG, what(table, change.equals("DELETE") ? "OLD" : "NEW"));
    }

    private static String postgresTrigger(String table) {
        return """
                CREATE FUNCTION fuzz_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF TG_OP = 'DELETE' THEN
                        INSERT INTO %2$s (what) VALUES (TG_OP || ' %1$s'%3$s);
                    ELSE
                        INSERT INTO %2$s (what) VALUES (TG_OP || ' %1$s'%4$s);
                    END IF;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER fuzz AFTER INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW EXECUTE FUNCTION fuzz_%1$s();
                """.formatted(table, LOG, what(table, "OLD"), what(table, "NEW"));
    }

    /** What was written since this was last asked. */
    List<String> written() throws SQLException {
        try (ResultSet row = version.executeQuery()) {
            row.next();
            if (row.getLong(1) == lastVersion) {
                return List.of();
            }
            lastVersion = row.getLong(1);
        }
        // taken away, not counted on by number: of two transactions at once, the one with lower numbers may commit last
        SortedMap<Long, String> written = new TreeMap<>();
        try (ResultSet row = rows.executeQuery()) {
            while (row.next()) {
                written.put(row.getLong(1), row.getString(2));
            }
        }
        return List.copyOf(written.values());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
