package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Row;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one statement that PostgreSQL runs for everybody who waits at the same time: claims, renewals and endings of many
 * resources, their events, one commit.
 *
 * <ol>
 *   <li>The rows are locked in the order of their keys; one that somebody else has locked is skipped, so that nobody
 *       waits and nobody deadlocks.
 *   <li>The clock is read after that.
 *   <li>Each request is judged by the locked row. What is not plain (a row that is missing, skipped, held softly or run
 *       out) is left alone and goes {@code elsewhere}, row by row.
 *   <li>The rows are changed with the condition repeated, and the events appended.
 *   <li>Answers carry the request's ordinal and are matched by it, never by position.
 * </ol>
 */
final class CombinedStatement {
    /** What the statement made of a request. */
    enum Verdict {
        GRANT,
        EXTEND,
        RENEW,
        END,
        /** It had ended so before, or its row refuses it; the row tells. */
        REFUSE,
        /** The caller has another grant that it has not confirmed. */
        OWN,
        /** The completion that it depends on was not accepted. */
        UNASKED,
        ELSEWHERE
    }

    /** @param row as it was under the lock, before the change; null when it was not locked */
    record Judged(
            Verdict verdict,
            long now,
            @Nullable ResourceRow row,
            long generation,
            long acquiredAt,
            long expiresAt,
            boolean confirmed,
            int attempts,
            @Nullable String note) {
        /** An event tells of it. */
        boolean told() {
            return verdict == Verdict.GRANT || verdict == Verdict.END;
        }
    }

    private static final String TEXT = """
            WITH asked AS MATERIALIZED (
                SELECT * FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
                                     ?::boolean[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::text[],
                                     ?::boolean[], ?::text[])
                    AS a (ordinal, verb, key, holder, shown, lease, request_id,
                          given, next_kind, next_queue, after, ended_as, next_state, note,
                          keep, detail)
            ), locked AS MATERIALIZED (
                SELECT * FROM resources WHERE key = ANY (?::text[]) ORDER BY key FOR UPDATE SKIP LOCKED
            ), clock AS MATERIALIZED (
                SELECT lease_clock() AS now FROM (SELECT count(*) FROM locked) AS locks_are_held
            ), own AS MATERIALIZED (
                SELECT DISTINCT a.ordinal
                FROM asked a JOIN resources r
                    ON r.holder = a.holder AND r.state = 'held' AND r.kind = a.next_kind AND r.outer_key IS NULL
                    AND (a.next_queue IS NULL OR r.queue = a.next_queue)
                    AND CASE WHEN a.given THEN r.request_id = a.request_id ELSE NOT r.confirmed END
                WHERE a.next_kind IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM asked e WHERE e.ordinal = a.after AND e.key = r.key)
            ), seen AS MATERIALIZED (
                SELECT a.ordinal, a.after, a.key,
                    CASE
                        WHEN l.key IS NULL OR l.outer_key IS NOT NULL THEN 'ELSEWHERE'
                        WHEN a.verb = 'claim' THEN CASE
                            WHEN l.state = 'held' AND l.holder = a.holder
                                AND (l.request_id = a.request_id OR l.generation = a.shown) THEN 'EXTEND'
                            WHEN a.ordinal IN (SELECT ordinal FROM own) THEN 'OWN'
                            WHEN a.next_kind IS NOT NULL AND l.kept THEN 'REFUSE'
                            WHEN l.state = 'ready' AND (l.not_before IS NULL OR l.not_before <= clock.now) THEN 'GRANT'
                            WHEN l.state = 'held' AND l.expires_at <= clock.now THEN 'ELSEWHERE'
                            ELSE 'REFUSE' END
                        WHEN l.state = 'held' AND l.generation = a.shown AND l.holder = a.holder
                            THEN CASE a.verb WHEN 'renew' THEN 'RENEW' ELSE 'END' END
                        ELSE 'REFUSE'
                    END AS verdict,
                    a.verb = 'end' AND l.ended_generation = a.shown AND l.ended_by = a.holder
                        AND l.ended_as = a.ended_as AS replayed
                FROM asked a CROSS JOIN clock LEFT JOIN locked l ON l.key = a.key
            ), judged AS MATERIALIZED (
                SELECT s.ordinal, s.key,
                    CASE WHEN e.ordinal IS NULL OR e.verdict = 'END' OR e.replayed OR s.verdict = 'ELSEWHERE'
                        THEN s.verdict ELSE 'UNASKED' END AS verdict
                FROM seen s LEFT JOIN seen e ON e.ordinal = s.after
            ), changed AS (
                UPDATE resources r SET
                    state = CASE j.verdict WHEN 'END' THEN a.next_state ELSE 'held' END,
                    holder = CASE j.verdict WHEN 'END' THEN NULL ELSE a.holder END,
                    generation = CASE j.verdict WHEN 'GRANT' THEN l.generation + 1 ELSE l.generation END,
                    acquired_at = CASE j.verdict WHEN 'GRANT' THEN clock.now WHEN 'END' THEN NULL ELSE l.acquired_at END,
                    renewed_at = CASE j.verdict WHEN 'END' THEN NULL ELSE clock.now END,
                    expires_at = CASE j.verdict
                        WHEN 'END' THEN NULL
                        WHEN 'GRANT' THEN clock.now + a.lease * interval '1 microsecond'
                        ELSE greatest(l.expires_at,
                                      clock.now + coalesce(a.lease, l.lease) * interval '1 microsecond') END,
                    lease = CASE j.verdict WHEN 'END' THEN NULL ELSE coalesce(a.lease, l.lease) END,
                    confirmed = CASE j.verdict
                        WHEN 'RENEW' THEN true
                        WHEN 'EXTEND' THEN l.confirmed OR a.shown IS NOT NULL
                        ELSE false END,
                    request_id = CASE j.verdict WHEN 'GRANT' THEN a.request_id WHEN 'END' THEN NULL ELSE l.request_id END,
                    not_before = NULL,
                    kept = l.kept OR (j.verdict = 'END' AND a.keep),
                    ended_generation = CASE j.verdict WHEN 'END' THEN l.generation ELSE l.ended_generation END,
                    ended_by = CASE j.verdict WHEN 'END' THEN l.holder ELSE l.ended_by END,
                    ended_as = CASE j.verdict WHEN 'END' THEN a.ended_as ELSE l.ended_as END,
                    attempts = CASE WHEN j.verdict = 'END' AND a.next_state = 'done' THEN 0 ELSE l.attempts END,
                    ready_since = CASE WHEN j.verdict = 'END' AND a.next_state = 'ready' THEN clock.now END,
                    note = CASE
                        WHEN j.verdict <> 'END' THEN l.note
                        WHEN a.next_state = 'done' THEN NULL
                        ELSE coalesce(a.note, l.note) END
                FROM judged j JOIN asked a ON a.ordinal = j.ordinal JOIN locked l ON l.key = j.key CROSS JOIN clock
                WHERE r.key = j.key AND r.generation = l.generation AND r.state = l.state
                    AND j.verdict IN ('GRANT', 'EXTEND', 'RENEW', 'END')
                RETURNING j.ordinal, j.verdict, clock.now, r.key, a.holder, a.ended_as, a.detail, r.generation,
                          r.acquired_at, r.expires_at, r.confirmed, r.attempts, r.note
            ), told AS (
                INSERT INTO events (at, type, resource, actor, generation, detail, origin)
                SELECT c.now,
                    CASE c.verdict WHEN 'GRANT' THEN 'claimed' ELSE split_part(split_part(c.ended_as, '#', 1), ' ', 1) END,
                    c.key, c.holder, c.generation, c.detail, ?
                FROM changed c WHERE c.verdict IN ('GRANT', 'END') ORDER BY c.ordinal
            )
            SELECT j.ordinal, coalesce(c.verdict, CASE WHEN j.verdict IN ('OWN', 'UNASKED', 'REFUSE')
                    THEN j.verdict ELSE 'ELSEWHERE' END) AS verdict,
                clock.now, c.generation AS new_generation, c.acquired_at AS new_acquired_at,
                c.expires_at AS new_expires_at, c.confirmed AS new_confirmed, c.attempts AS new_attempts,
                c.note AS new_note, l.*
            FROM judged j CROSS JOIN clock LEFT JOIN changed c ON c.ordinal = j.ordinal
                LEFT JOIN locked l ON l.key = j.key
            """;

    private final Connection connection;
    private final PreparedStatement statement;
    private final int origin;

    CombinedStatement(Connection connection, int origin) throws SQLException {
        this.connection = connection;
        this.origin = origin;
        statement = connection.prepareStatement(TEXT);
    }

    /** Runs the requests and returns what became of each, by its place in the list. */
    Judged[] run(List<Ask> asks) throws SQLException {
        Integer[] ordinals = new Integer[asks.size()];
        @Nullable Integer[] after = new @Nullable Integer[asks.size()];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = i;
            after[i] = asks.get(i).afterPrevious() ? Integer.valueOf(i - 1) : null;
        }
        List<Array> arrays = new ArrayList<>();
        arrays.add(connection.createArrayOf("int4", ordinals));
        arrays.add(texts(asks, Ask::verb));
        arrays.add(texts(asks, Ask::key));
        arrays.add(texts(asks, Ask::holder));
        arrays.add(column("int8", asks, Ask::shown));
        arrays.add(column("int8", asks, Ask::lease));
        arrays.add(texts(asks, Ask::requestId));
        arrays.add(column("bool", asks, Ask::given));
        arrays.add(texts(asks, Ask::nextKind));
        arrays.add(texts(asks, Ask::nextQueue));
        arrays.add(connection.createArrayOf("int4", after));
        arrays.add(texts(asks, Ask::endedAs));
        arrays.add(texts(asks, Ask::nextState));
        arrays.add(texts(asks, Ask::note));
        arrays.add(column("bool", asks, Ask::keep));
        arrays.add(texts(asks, Ask::detail));
        arrays.add(texts(asks, Ask::key));
        int position = 1;
        for (Array array : arrays) {
            statement.setArray(position++, array);
        }
        statement.setInt(position, origin);
        Judged[] judged = new Judged[asks.size()];
        try (ResultSet results = statement.executeQuery()) {
            while (results.next()) {
                judged[results.getInt(1)] = read(results);
            }
        }
        return judged;
    }

    private static Judged read(ResultSet results) throws SQLException {
        Verdict verdict = Verdict.valueOf(results.getString(2));
        long now = micros(results, 3);
        return switch (verdict) {
            case GRANT, EXTEND, RENEW ->
                new Judged(
                        verdict,
                        now,
                        null,
                        results.getLong(4),
                        micros(results, 5),
                        micros(results, 6),
                        results.getBoolean(7),
                        results.getInt(8),
                        results.getString(9));
            case END, REFUSE ->
                new Judged(verdict, now, ResourceTable.read(Row.of(results, Engine.POSTGRES)), 0, 0, 0, false, 0, null);
            case OWN, UNASKED, ELSEWHERE -> new Judged(verdict, now, null, 0, 0, 0, false, 0, null);
        };
    }

    private static long micros(ResultSet results, int column) throws SQLException {
        Instant at = results.getObject(column, OffsetDateTime.class).toInstant();
        return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    }

    private Array texts(List<Ask> asks, Function<Ask, @Nullable String> column) throws SQLException {
        return column("text", asks, column);
    }

    private Array column(String type, List<Ask> asks, Function<Ask, ? extends @Nullable Object> column)
            throws SQLException {
        return connection.createArrayOf(type, asks.stream().map(column).toArray());
    }
}
