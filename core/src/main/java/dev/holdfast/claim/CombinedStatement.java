package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedSql.Form;
import dev.holdfast.claim.CombinedSql.Part;
import dev.holdfast.store.Row;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What PostgreSQL runs for all concurrent callers: one statement that claims, renews and ends many resources, appends
 * their events and commits ({@link CombinedSql}). Rows that it did not change are read again, so that {@link Rules} can
 * say why.
 *
 * <p>Results are matched by the request's ordinal, never by position.
 */
final class CombinedStatement {
    private static final String MISSED = "SELECT lease_clock() AS now, r.* FROM resources r WHERE r.key = ANY (:keys)";

    private final Connection connection;
    private final int origin;
    private final Map<Map<Part, Form>, PreparedColumns> prepared = new HashMap<>();
    private final PreparedColumns missed;

    CombinedStatement(Connection connection, int origin) throws SQLException {
        this.connection = connection;
        this.origin = origin;
        missed = new PreparedColumns(connection, MISSED);
    }

    Connection connection() {
        return connection;
    }

    /**
     * Runs the requests and returns the result of each, in the same order.
     *
     * @param leastGeneration the lowest generation that a grant may get
     */
    CombinedResult[] run(List<CombinedRequest> requests, long leastGeneration) throws SQLException {
        String[] keys = new String[requests.size()];
        Map<Part, CombinedColumns> columns = new EnumMap<>(Part.class);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = requests.get(i).key();
            columns.computeIfAbsent(part(requests.get(i)), part -> CombinedColumns.of(part, requests));
        }
        PreparedColumns statement = bound(keys, columns);
        statement.value("held", State.HELD.toString());
        statement.value("ready", State.READY.toString());
        statement.value("least_generation", leastGeneration);
        statement.value("origin", origin);
        CombinedResult[] written = new CombinedResult[keys.length];
        int answered = 0;
        try (ResultSet results = statement.query()) {
            long now = 0;
            while (results.next()) {
                now = answered++ == 0 ? Row.ofPostgres(results).time("now") : now; // the same in every row
                int ordinal = results.getInt(1);
                written[ordinal] = read(results, requests.get(ordinal), now);
            }
        }
        if (answered < keys.length) {
            lookAtMissed(keys, written);
        }
        return written;
    }

    private static Part part(CombinedRequest request) {
        return switch (request) {
            case End _ -> Part.END;
            case Take _ -> Part.TAKE;
            case Renew _ -> Part.RENEW;
        };
    }

    /** The statement for requests of these parts and forms, with their values. */
    private PreparedColumns bound(String[] keys, Map<Part, CombinedColumns> columns) throws SQLException {
        Map<Part, Form> forms = new EnumMap<>(Part.class);
        columns.forEach((part, values) -> forms.put(part, values.form(keys.length)));
        PreparedColumns statement = prepared.get(forms);
        if (statement == null) {
            statement = new PreparedColumns(connection, CombinedSql.text(forms));
            prepared.put(forms, statement);
        }
        if (keys.length == 1) {
            statement.first("keys", keys);
        } else {
            statement.column("keys", keys);
        }
        for (CombinedColumns values : columns.values()) {
            values.bind(statement, Objects.requireNonNull(forms.get(values.part())));
        }
        return statement;
    }

    private static CombinedResult read(ResultSet results, CombinedRequest request, long now) throws SQLException {
        return switch (request) {
            case Take _ ->
                new CombinedResult.Taken(
                        now, results.getLong("generation"), results.getInt("attempts"), results.getString("note"));
            case Renew _ -> {
                Row row = Row.ofPostgres(results);
                yield new CombinedResult.Renewed(
                        now, row.time("acquired_at"), row.time("expires_at"), results.getInt("attempts"));
            }
            case End end -> {
                String queue = results.getString("queue");
                yield new CombinedResult.Ended(
                        queue == null
                                ? null
                                : new Item(
                                        end.key(),
                                        Resource.parse(end.key()).kind(),
                                        queue,
                                        results.getInt("priority"),
                                        results.getLong("seq"),
                                        ResourceTable.labels(results.getString("labels"))));
            }
        };
    }

    /** Not locked: what it finds is true only at this moment, so it may justify a refusal and nothing else. */
    private void lookAtMissed(String[] keys, CombinedResult[] written) throws SQLException {
        Map<String, CombinedResult> seen = new HashMap<>();
        missed.column(
                "keys",
                IntStream.range(0, keys.length)
                        .filter(i -> written[i] == null)
                        .mapToObj(i -> keys[i])
                        .toArray(String[]::new));
        try (ResultSet results = missed.query()) {
            Row row = Row.ofPostgres(results);
            while (results.next()) {
                seen.put(row.text("key"), new CombinedResult.Missed(row.time("now"), ResourceTable.read(row)));
            }
        }
        for (int i = 0; i < keys.length; i++) {
            if (written[i] == null) {
                written[i] = seen.getOrDefault(keys[i], new CombinedResult.Missed(0, null));
            }
        }
    }
}
