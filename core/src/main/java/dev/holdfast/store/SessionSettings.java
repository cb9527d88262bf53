package dev.holdfast.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What every session of ours has set, whatever the defaults of the server, the database and the role are.
 *
 * <p>They go with the start of the session, so that no transaction's end can take them away: what is SET inside a
 * transaction is undone when that rolls back. Each value is written as PostgreSQL shows it, to be compared.
 */
public record SessionSettings(Map<String, String> values) {
    /** The order matters: a lock wait ends before the statement, the statement before the socket. */
    public static final SessionSettings OURS = new SessionSettings(Map.of())
            .with("default_transaction_isolation", "read committed")
            .with("default_transaction_read_only", "off")
            .with("synchronous_commit", "on")
            .with("lock_timeout", "2s")
            .with("statement_timeout", "8s")
            .with("idle_in_transaction_session_timeout", "20s")
            .with("jit", "off");

    /** A change of the tables may take as long as it takes, though it does not wait long for others to make room. */
    static final SessionSettings MIGRATING = OURS.with("lock_timeout", "10s")
            .with("statement_timeout", "0")
            .with("idle_in_transaction_session_timeout", "0");

    /** The same with this one set so. */
    public SessionSettings with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new SessionSettings(more);
    }

    /** As start-up options; of two values for one setting the later counts, so ours come last. */
    String asOptionsAfter(String options) {
        return values.entrySet().stream()
                .map(one -> "-c " + one.getKey() + "="
                        + one.getValue().replace("\\", "\\\\").replace(" ", "\\ "))
                .collect(Collectors.joining(" ", options.isEmpty() ? "" : options + " ", ""));
    }

    /** What a SELECT lists to read them. */
    String columns() {
        return values.keySet().stream()
                .map(name -> "current_setting('" + name + "') AS " + name)
                .collect(Collectors.joining(", "));
    }

    /** Those that are not as they should be, with the values that they have instead. */
    Map<String, String> missingIn(ResultSet shown) throws SQLException {
        Map<String, String> missing = new TreeMap<>();
        for (Map.Entry<String, String> one : values.entrySet()) {
            String value = shown.getString(one.getKey());
            if (!one.getValue().equals(value)) {
                missing.put(one.getKey(), value);
            }
        }
        return missing;
    }

    /** What a SELECT lists to set them for its transaction alone. */
    String columnsThatSet() {
        return values.entrySet().stream()
                .filter(one -> !one.getKey().startsWith("default_transaction_")) // for transactions that begin later
                .map(one -> "set_config('" + one.getKey() + "', '" + one.getValue() + "', true)")
                .collect(Collectors.joining(", "));
    }

    /** For a session through a pooler that leaves start-up options out: set now, outside any transaction. */
    void applyTo(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> one : values.entrySet()) {
                statement.execute("SET " + one.getKey() + " = '" + one.getValue() + "'");
            }
        }
    }
}
