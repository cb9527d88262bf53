package dev.holdfast.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The current row of a result, read by column name or position, the same on both engines. */
public final class Row {
    private final ResultSet results;
    private final Engine engine;

    Row(ResultSet results, Engine engine) {
        this.results = results;
        this.engine = engine;
    }

    /** For results of statements that were prepared elsewhere. */
    public static Row of(ResultSet results, Engine engine) {
        return new Row(results, engine);
    }

    public String text(String column) throws SQLException {
        return results.getString(column);
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        return results.getString(column);
    }

    public long number(String column) throws SQLException {
        return results.getLong(column);
    }

    public @Nullable Long numberOrNull(String column) throws SQLException {
        long value = results.getLong(column);
        return results.wasNull() ? null : value;
    }

    public double real(String column) throws SQLException {
        return results.getDouble(column);
    }

    public boolean flag(String column) throws SQLException {
        return results.getBoolean(column);
    }

    public @Nullable Boolean flagOrNull(String column) throws SQLException {
        boolean value = results.getBoolean(column);
        return results.wasNull() ? null : value;
    }

    /** Microseconds since 1970; null stays null. */
    public @Nullable Long timeOrNull(String column) throws SQLException {
        return switch (engine) {
            case SQLITE -> numberOrNull(column);
            case POSTGRES -> {
                OffsetDateTime at = results.getObject(column, OffsetDateTime.class);
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
