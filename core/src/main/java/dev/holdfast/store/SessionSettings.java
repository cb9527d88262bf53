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
 * The settings of each of our sessions, regardless of the defaults of server, database and role.
 *
 * <p>They are passed at session start, so that no rollback can undo them: a SET inside a transaction is undone if that
 * transaction rolls back. Each value is written as PostgreSQL displays it, so that it can be compared.
 */
public record SessionSettings(Map<String, String> values) {
    /**
     * The order of the timeouts matters: lock wait before statement, statement before socket.
     *
     * <p>No table is read whole if it has an index that helps: while it is small, PostgreSQL would plan to, and a session
     * keeps that plan while the table grows.
     */
    public static final SessionSettings OURS = new SessionSettings(Map.of())
            .with("default_transaction_isolation", "read committed")
            .with("default_transaction_read_only", "off")
            .with("synchronous_commit", "on")
            .with("lock_timeout", "2s")
            .with("statement_timeout", "8s")
            .with("idle_in_transaction_session_timeout", "20s")
            .with("jit", "off")
            .with("enable_seqscan", "off");

    /** A migration may take as long as it needs, but does not wait long for locks. */
    static final SessionSettings MIGRATING = OURS.with("lock_timeout", "10s")
            .with("statement_timeout", "0")
            .with("idle_in_transaction_session_timeout", "0")
            .with("enable_seqscan", "on");

    /** A copy with this setting added or changed. */
    public SessionSettings with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new SessionSettings(more);
    }

    /** The settings as start-up options; of two values for one setting the later counts, so ours come last. */
    String asOptionsAfter(String options) {
        return values.entrySet().stream()
                .map(one -> "-c " + one.getKey() + "="
                        + one.getValue().replace("\\", "\\\\").replace(" ", "\\ "))
                .collect(Collectors.joining(" ", options.isEmpty() ? "" : options + " ", ""));
    }

    /** The SELECT list that reads them. */
    String columns() {
        return values.keySet().stream()
                .map(name -> "current_setting('" + name + "') AS " + name)
                .collect(Collectors.joining(", "));
    }

    /** The settings that do not have the required value, with the values they have. */
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

    /** The SELECT list that sets them for its own transaction only. */
    String columnsThatSet() {
        return values.entrySet().stream()
                .filter(one -> !one.getKey().startsWith("default_transaction_")) // affect only later transactions
                .map(one -> "set_config('" + one.getKey() + "', '" + one.getValue() + "', true)")
                .collect(Collectors.joining(", "));
    }

    /** For a session through a pooler that drops start-up options: sets them now, outside any transaction. */
    public void applyTo(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> one : values.entrySet()) {
                statement.execute("SET " + one.getKey() + " = '" + one.getValue() + "'");
            }
        }
    }
}
