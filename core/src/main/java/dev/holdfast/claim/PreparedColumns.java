package dev.holdfast.claim;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;

/**
 * A PostgreSQL statement whose {@code :named} parameters are either whole columns, each used once, or single values.
 */
final class PreparedColumns {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private final PGConnection arrays;
    private final PreparedStatement statement;
    private final Map<String, List<Integer>> positions = new HashMap<>();

    PreparedColumns(Connection connection, String text) throws SQLException {
        arrays = connection.unwrap(PGConnection.class);
        Matcher named = PARAMETER.matcher(text);
        for (int at = 1; named.find(); at++) {
            positions.computeIfAbsent(named.group(1), _ -> new ArrayList<>()).add(at);
        }
        statement = connection.prepareStatement(named.replaceAll("?"));
    }

    /** Arrays of the exact type, primitive where nothing is null, are sent in binary and cost the least. */
    void column(String name, Object values) throws SQLException {
        int at = position(name);
        switch (values) {
            case String[] texts -> statement.setArray(at, arrays.createArrayOf("text", texts));
            case long[] numbers -> statement.setArray(at, arrays.createArrayOf("int8", numbers));
            case int[] numbers -> statement.setArray(at, arrays.createArrayOf("int4", numbers));
            case boolean[] flags -> statement.setArray(at, arrays.createArrayOf("bool", flags));
            default -> throw unknown(values);
        }
    }

    /** Passes a column whose rows all have the same value as that value, which costs less than an array. */
    void first(String name, Object values) throws SQLException {
        int at = position(name);
        switch (values) {
            case String[] texts -> statement.setString(at, texts[0]);
            case long[] numbers -> statement.setLong(at, numbers[0]);
            case int[] numbers -> statement.setInt(at, numbers[0]);
            case boolean[] flags -> statement.setBoolean(at, flags[0]);
            default -> throw unknown(values);
        }
    }

    private int position(String name) {
        return Objects.requireNonNull(positions.get(name), name).getFirst();
    }

    private static IllegalArgumentException unknown(Object values) {
        return new IllegalArgumentException("no column can hold " + values.getClass());
    }

    /** Sets a value that all rows share; does nothing if the statement has no such parameter. */
    void value(String name, long value) throws SQLException {
        for (int at : positions.getOrDefault(name, List.of())) {
            statement.setLong(at, value);
        }
    }

    void value(String name, String value) throws SQLException {
        for (int at : positions.getOrDefault(name, List.of())) {
            statement.setString(at, value);
        }
    }

    ResultSet query() throws SQLException {
        return statement.executeQuery();
    }
}
