package dev.holdfast.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A statement's named parameters. Times are microseconds here, {@code timestamptz} on PostgreSQL. */
public final class Parameters {
    private final PreparedStatement statement;
    private final Sql sql;
    private final Engine engine;

    Parameters(PreparedStatement statement, Sql sql, Engine engine) {
        this.statement = statement;
        this.sql = sql;
        this.engine = engine;
    }

    public Parameters text(String name, @Nullable String value) throws SQLException {
        for (int at : sql.positions(name)) {
            statement.setString(at, value);
        }
        return this;
    }

    /** For {@code = ANY (:name)}. */
    public Parameters texts(String name, Collection<String> values) throws SQLException {
        for (int at : sql.positions(name)) {
            switch (engine) {
                case SQLITE -> statement.setString(at, JsonMapper.shared().writeValueAsString(values));
                case POSTGRES ->
                    statement.setArray(
                            at, statement.getConnection().createArrayOf("text", values.toArray(String[]::new)));
            }
        }
        return this;
    }

    public Parameters number(String name, @Nullable Long value) throws SQLException {
        for (int at : sql.positions(name)) {
            if (value == null) {
                statement.setNull(at, Types.BIGINT);
            } else {
                statement.setLong(at, value);
            }
        }
        return this;
    }

    public Parameters number(String name, long value) throws SQLException {
        for (int at : sql.positions(name)) {
            statement.setLong(at, value);
        }
        return this;
    }

    public Parameters real(String name, double value) throws SQLException {
        for (int at : sql.positions(name)) {
            statement.setDouble(at, value);
        }
        return this;
    }

    public Parameters flag(String name, boolean value) throws SQLException {
        for (int at : sql.positions(name)) {
            statement.setBoolean(at, value);
        }
        return this;
    }

    public Parameters flag(String name, @Nullable Boolean value) throws SQLException {
        for (int at : sql.positions(name)) {
            if (value == null) {
                statement.setNull(at, Types.BOOLEAN);
            } else {
                statement.setBoolean(at, value);
            }
        }
        return this;
    }

    public Parameters time(String name, @Nullable Long micros) throws SQLException {
        for (int at : sql.positions(name)) {
            switch (engine) {
                case SQLITE -> {
                    if (micros == null) {
                        statement.setNull(at, Types.BIGINT);
                    } else {
                        statement.setLong(at, micros);
                    }
                }
                case POSTGRES -> {
                    if (micros == null) {
                        statement.setNull(at, Types.TIMESTAMP_WITH_TIMEZONE);
                    } else {
                        statement.setObject(at, timestamp(micros));
                    }
                }
            }
        }
        return this;
    }

    static OffsetDateTime timestamp(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
