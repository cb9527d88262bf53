package dev.holdfast.backup;

import dev.holdfast.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The definitions in a SQLite file, by type and name. A file from elsewhere may have triggers, views and tables that
 * are not ours, which would run or be used in the restored store; so a restore takes only what the migrations make.
 */
record SqliteSchema(Map<String, String> definitions) {
    /** SQLite's own, which it creates when somebody runs ANALYZE. */
    private static final Set<Map.Entry<String, String>> STATISTICS = Set.of(
            Map.entry("table sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
            Map.entry("table sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"));

    static SqliteSchema of(Path file) throws SQLException {
        Map<String, String> definitions = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT type || ' ' || name AS named, coalesce(sql, tbl_name) AS sql FROM sqlite_schema")) {
            while (found.next()) {
                definitions.put(found.getString("named"), found.getString("sql"));
            }
        }
        definitions.entrySet().removeAll(STATISTICS);
        return new SqliteSchema(definitions);
    }

    /** @throws StoreException if this one differs from what the migrations make */
    void requireSame(SqliteSchema made) {
        Map<String, String> odd = new TreeMap<>(definitions);
        odd.entrySet().removeAll(made.definitions.entrySet());
        if (!odd.isEmpty()) {
            throw new StoreException("this is not a Holdfast backup: it has a definition that no store has: "
                    + String.join(", ", odd.keySet()));
        }
        Map<String, String> missing = new TreeMap<>(made.definitions);
        missing.keySet().removeAll(definitions.keySet());
        if (!missing.isEmpty()) {
            throw new StoreException(
                    "this Holdfast backup is incomplete: it lacks " + String.join(", ", missing.keySet()));
        }
    }
}
