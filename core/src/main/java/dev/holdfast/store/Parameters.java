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

/**
 * A statement's named parameters. Times are microseconds here and {@code timestamptz} on PostgreSQL. Values are
 * captured at once and bound when the statement is sent.
 */
public final class Parameters {
    @FunctionalInterface
    private interface Value {
        void set(PreparedStatement statement, int at) throws SQLException;
    }

    private final Sql sql;
    private final Engine engine;
    private final @Nullable Value[] values;

    Parameters(Sql sql, Engine engine) {
        this.sql = sql;
        this.engine = engine;
        values = new Value[sql.parameters()];
    }

    /** @param before how many parameters of other statements precede these */
    void bind(PreparedStatement statement, int before) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            Value value = values[i];
            if (value != null) { // the driver reports the missing one
                value.set(statement, before + i + 1);
            }
        }
    }

    private Parameters put(String name, Value value) {
        for (int at : sql.positions(name)) {
            values[at - 1] = value;
        }
        return this;
    }

    /** @throws UnstorableException if no store can keep it: PostgreSQL would fail, SQLite would truncate it */
    public Parameters text(String name, @Nullable String value) {
        if (value != null) {
            check(name, value);
        }
        return put(name, (statement, at) -> statement.setString(at, value));
    }

    /** For {@link Sql#limit}. */
    public Parameters limit(int max) {
        return sql.has("max") ? number("max", max) : this;
    }

    /** For {@code = ANY (:name)}. */
    public Parameters texts(String name, Collection<String> values) {
        String[] all = values.toArray(String[]::new);
        for (String one : all) {
            check(name, one);
        }
        return switch (engine) {
            case SQLITE -> text(name, JsonMapper.shared().writeValueAsString(all));
            case POSTGRES ->
                put(
                        name,
                        (statement, at) ->
                                statement.setArray(at, statement.getConnection().createArrayOf("text", all)));
        };
    }

    private static void check(String name, String value) {
        String problem = StorableText.problem(value);
        if (problem != null) {
            throw new UnstorableException(name + " " + problem);
        }
    }

    public Parameters number(String name, @Nullable Long value) {
        return value == null ? none(name, Types.BIGINT) : number(name, value.longValue());
    }

    public Parameters number(String name, long value) {
        return put(name, (statement, at) -> statement.setLong(at, value));
    }

    public Parameters real(String name, double value) {
        return put(name, (statement, at) -> statement.setDouble(at, value));
    }

    public Parameters flag(String name, boolean value) {
        return put(name, (statement, at) -> statement.setBoolean(at, value));
    }

    public Parameters flag(String name, @Nullable Boolean value) {
        return value == null ? none(name, Types.BOOLEAN) : flag(name, value.booleanValue());
    }

    public Parameters time(String name, @Nullable Long micros) {
        return switch (engine) {
            case SQLITE -> number(name, micros);
            case POSTGRES ->
                micros == null
                        ? none(name, Types.TIMESTAMP_WITH_TIMEZONE)
                        : put(name, (statement, at) -> statement.setObject(at, timestamp(micros)));
        };
    }

    private Parameters none(String name, int type) {
        return put(name, (statement, at) -> statement.setNull(at, type));
    }

    static OffsetDateTime timestamp(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
