package dev.holdfast.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The current row of a result, read by column name, the same on both engines. */
public final class Row {
    private final ResultSet results;
    private final Engine engine;
    private final @Nullable Map<String, Integer> positions;

    private Row(ResultSet results, Engine engine, @Nullable Map<String, Integer> positions) {
        this.results = results;
        this.engine = engine;
        this.positions = positions;
    }

    /** PostgreSQL's driver remembers itself where each column is. */
    public static Row ofPostgres(ResultSet results) {
        return new Row(results, Engine.POSTGRES, null);
    }

    /** @param positions of the columns, as far as earlier results of the same statement have shown them */
    static Row ofSqlite(ResultSet results, Map<String, Integer> positions) {
        return new Row(results, Engine.SQLITE, positions);
    }

    private int at(String column) throws SQLException {
        if (positions == null) {
            return results.findColumn(column);
        }
        Integer known = positions.get(column);
        if (known == null) {
            known = results.findColumn(column);
            positions.put(column, known);
        }
        return known;
    }

    public String text(String column) throws SQLException {
        return results.getString(at(column));
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        return results.getString(at(column));
    }

    public long number(String column) throws SQLException {
        return results.getLong(at(column));
    }

    public @Nullable Long numberOrNull(String column) throws SQLException {
        long value = results.getLong(at(column));
        return results.wasNull() ? null : value;
    }

    public double real(String column) throws SQLException {
        return results.getDouble(at(column));
    }

    public boolean flag(String column) throws SQLException {
        return results.getBoolean(at(column));
    }

    public @Nullable Boolean flagOrNull(String column) throws SQLException {
        boolean value = results.getBoolean(at(column));
        return results.wasNull() ? null : value;
    }

    /** Microseconds since 1970; null stays null. */
    public @Nullable Long timeOrNull(String column) throws SQLException {
        return switch (engine) {
            case SQLITE -> numberOrNull(column);
            case POSTGRES -> {
                OffsetDateTime at = results.getObject(at(column), OffsetDateTime.class);
                yield at == null ? null : LeaseClock.micros(at.toInstant());
            }
        };
    }

    public long time(String column) throws SQLException {
        Long micros = timeOrNull(column);
        if (micros == null) {
            throw new SQLException("column " + column + " holds no time");
        }
        return micros;
    }
}
