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
import java.util.Arrays;
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
        /** Not plain: run out, or held softly. */
        ELSEWHERE,
        /** Somebody else has the row locked, or there is none. */
        SKIPPED
    }

    /** @param row as it was under the lock, before the change; only of what was refused or let go to be claimed again */
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

    /**
     * What is asked is joined to its row once, at the lock, and nothing is joined to anything again: with 512 requests
     * every further join would look at 512 x 512 pairs. A request that is missing in the answer goes elsewhere.
     */
    private static final String TEXT = """
            WITH locked AS MATERIALIZED (
                SELECT a.*, r.*, r AS was
                FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
                            ?::boolean[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                            ?::boolean[], ?::text[])
                    AS a (ordinal, verb, wanted, caller, shown, term, request,
                          given, next_kind, next_queue, after, ending, next_state, remark,
                          keep, detail)
                    JOIN resources r ON r.key = a.wanted
                ORDER BY r.key FOR UPDATE OF r SKIP LOCKED
            ), clock AS MATERIALIZED (
                SELECT lease_clock() AS now FROM (SELECT count(*) FROM locked) AS locks_are_held
            ), seen AS MATERIALIZED (
                SELECT l.*, clock.now,
                    CASE
                        WHEN l.outer_key IS NOT NULL THEN 'ELSEWHERE'
                        WHEN l.verb = 'claim' THEN CASE
                            WHEN l.state = 'held' AND l.holder = l.caller
                                AND (l.request_id = l.request OR l.generation = l.shown) THEN 'EXTEND'
                            WHEN l.next_kind IS NOT NULL AND EXISTS (
                                SELECT 1 FROM resources o
                                WHERE o.holder = l.caller AND o.state = 'held' AND o.kind = l.next_kind
                                    AND o.outer_key IS NULL AND (l.next_queue IS NULL OR o.queue = l.next_queue)
                                    AND CASE WHEN l.given THEN o.request_id = l.request ELSE NOT o.confirmed END
                                    AND o.key IS DISTINCT FROM l.after) THEN 'OWN'
                            WHEN l.next_kind IS NOT NULL AND l.kept THEN 'REFUSE'
                            WHEN l.state = 'ready' AND (l.not_before IS NULL OR l.not_before <= clock.now) THEN 'GRANT'
                            WHEN l.state = 'held' AND l.expires_at <= clock.now THEN 'ELSEWHERE'
                            ELSE 'REFUSE' END
                        WHEN l.state = 'held' AND l.generation = l.shown AND l.holder = l.caller
                            THEN CASE l.verb WHEN 'renew' THEN 'RENEW' ELSE 'END' END
                        ELSE 'REFUSE'
                    END AS alone,
                    l.verb = 'end' AND l.ended_generation = l.shown AND l.ended_by = l.caller
                        AND l.ended_as = l.ending AS replayed
                FROM locked l CROSS JOIN clock
            ), judged AS MATERIALIZED (
                SELECT s.*,
                    CASE
                        WHEN s.after IS NULL THEN s.alone
                        WHEN lag(s.key) OVER asked = s.after
                            AND (lag(s.alone) OVER asked = 'END' OR lag(s.replayed) OVER asked) THEN s.alone
                        ELSE 'UNASKED' END AS verdict
                FROM seen s
                WINDOW asked AS (ORDER BY s.ordinal)
            ), changed AS (
                UPDATE resources r SET
                    state = CASE
                        WHEN j.verdict <> 'END' THEN 'held'
                        WHEN j.barred AND j.next_state = 'ready' THEN 'blocked'
                        ELSE j.next_state END,
                    holder = CASE j.verdict WHEN 'END' THEN NULL ELSE j.caller END,
                    generation = CASE j.verdict WHEN 'GRANT' THEN greatest(j.generation + 1, ?) ELSE j.generation END,
                    acquired_at = CASE j.verdict WHEN 'GRANT' THEN j.now WHEN 'END' THEN NULL ELSE j.acquired_at END,
                    renewed_at = CASE j.verdict WHEN 'END' THEN NULL ELSE j.now END,
                    expires_at = CASE j.verdict
                        WHEN 'END' THEN NULL
                        WHEN 'GRANT' THEN j.now + j.term * interval '1 microsecond'
                        ELSE greatest(j.expires_at,
                                      j.now + coalesce(j.term, j.lease) * interval '1 microsecond') END,
                    lease = CASE j.verdict WHEN 'END' THEN NULL ELSE coalesce(j.term, j.lease) END,
                    confirmed = CASE j.verdict
                        WHEN 'RENEW' THEN true
                        WHEN 'EXTEND' THEN j.confirmed OR j.shown IS NOT NULL
                        ELSE false END,
                    request_id = CASE j.verdict WHEN 'GRANT' THEN j.request WHEN 'END' THEN NULL ELSE j.request_id END,
                    not_before = NULL,
                    kept = j.verdict <> 'GRANT' AND (j.kept OR (j.verdict = 'END' AND j.keep)),
                    barred = j.barred AND j.verdict <> 'END',
                    ended_generation = CASE j.verdict WHEN 'END' THEN j.generation ELSE j.ended_generation END,
                    ended_by = CASE j.verdict WHEN 'END' THEN j.holder ELSE j.ended_by END,
                    ended_as = CASE j.verdict WHEN 'END' THEN j.ending ELSE j.ended_as END,
                    attempts = j.attempts,
                    ready_since = CASE WHEN j.verdict = 'END' AND j.next_state = 'ready' AND NOT j.barred THEN j.now END,
                    note = CASE
                        WHEN j.verdict <> 'END' THEN j.note
                        WHEN j.next_state = 'done' THEN NULL
                        ELSE coalesce(j.remark, j.note) END
                FROM judged j
                WHERE r.key = j.key AND r.generation = j.generation AND r.state = j.state
                    AND j.verdict IN ('GRANT', 'EXTEND', 'RENEW', 'END')
                RETURNING j.ordinal, j.verdict, j.now, r.key, j.caller, j.ending, j.detail, r.generation,
                          r.acquired_at, r.expires_at, r.confirmed, r.attempts, r.note,
                          CASE WHEN r.state = 'ready' THEN j.was END AS was
            ), told AS (
                INSERT INTO events (at, type, resource, actor, generation, detail, origin)
                SELECT c.now,
                    CASE c.verdict WHEN 'GRANT' THEN 'claimed' ELSE split_part(split_part(c.ending, '#', 1), ' ', 1) END,
                    c.key, c.caller, c.generation, c.detail, ?
                FROM changed c WHERE c.verdict IN ('GRANT', 'END') ORDER BY c.ordinal
            ), answers AS MATERIALIZED (
                SELECT c.ordinal, c.verdict, c.now, c.generation, c.acquired_at, c.expires_at, c.confirmed, c.attempts,
                    c.note, c.was
                FROM changed c
                UNION ALL
                SELECT j.ordinal, j.verdict, j.now, NULL, NULL, NULL, NULL, NULL, NULL, j.was
                FROM judged j WHERE j.verdict IN ('OWN', 'UNASKED', 'REFUSE')
            )
            SELECT ordinal, verdict, now, generation AS new_generation, acquired_at AS new_acquired_at,
                expires_at AS new_expires_at, confirmed AS new_confirmed, attempts AS new_attempts, note AS new_note,
                (was).*
            FROM answers
            """;

    private static final Judged NOT_ANSWERED = new Judged(Verdict.SKIPPED, 0, null, 0, 0, 0, false, 0, null);

    private final Connection connection;
    private final PreparedStatement statement;
    private final int origin;

    CombinedStatement(Connection connection, int origin) throws SQLException {
        this.connection = connection;
        this.origin = origin;
        statement = connection.prepareStatement(TEXT);
    }

    /**
     * Runs the requests and returns what became of each, by its place in the list.
     *
     * @param leastGeneration no grant has less
     */
    Judged[] run(List<CombinedRequest> asks, long leastGeneration) throws SQLException {
        Integer[] ordinals = new Integer[asks.size()];
        @Nullable String[] after = new @Nullable String[asks.size()];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = i;
            after[i] = asks.get(i).afterPrevious() ? asks.get(i - 1).key() : null;
        }
        List<Array> arrays = new ArrayList<>();
        arrays.add(connection.createArrayOf("int4", ordinals));
        arrays.add(texts(asks, CombinedRequest::verb));
        arrays.add(texts(asks, CombinedRequest::key));
        arrays.add(texts(asks, CombinedRequest::holder));
        arrays.add(numbers(asks, CombinedRequest::shown));
        arrays.add(numbers(asks, CombinedRequest::lease));
        arrays.add(texts(asks, CombinedRequest::requestId));
        arrays.add(flags(asks, CombinedRequest::given));
        arrays.add(texts(asks, CombinedRequest::nextKind));
        arrays.add(texts(asks, CombinedRequest::nextQueue));
        arrays.add(connection.createArrayOf("text", after));
        arrays.add(texts(asks, CombinedRequest::endedAs));
        arrays.add(texts(asks, CombinedRequest::nextState));
        arrays.add(texts(asks, CombinedRequest::note));
        arrays.add(flags(asks, CombinedRequest::keep));
        arrays.add(texts(asks, CombinedRequest::detail));
        int position = 1;
        for (Array array : arrays) {
            statement.setArray(position++, array);
        }
        statement.setLong(position++, leastGeneration);
        statement.setInt(position, origin);
        Judged[] judged = new Judged[asks.size()];
        Arrays.fill(judged, NOT_ANSWERED);
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
                new Judged(
                        verdict,
                        now,
                        results.getString("key") == null ? null : ResourceTable.read(Row.of(results, Engine.POSTGRES)),
                        results.getLong(4),
                        0,
                        0,
                        false,
                        0,
                        null);
            case OWN, UNASKED, ELSEWHERE, SKIPPED -> new Judged(verdict, now, null, 0, 0, 0, false, 0, null);
        };
    }

    private static long micros(ResultSet results, int column) throws SQLException {
        Instant at = results.getObject(column, OffsetDateTime.class).toInstant();
        return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    }

    // arrays of the exact type travel in binary; of Object, as text to be parsed

    private Array texts(List<CombinedRequest> asks, Function<CombinedRequest, @Nullable String> column)
            throws SQLException {
        return connection.createArrayOf("text", asks.stream().map(column).toArray(String[]::new));
    }

    private Array numbers(List<CombinedRequest> asks, Function<CombinedRequest, @Nullable Long> column)
            throws SQLException {
        return connection.createArrayOf("int8", asks.stream().map(column).toArray(Long[]::new));
    }

    private Array flags(List<CombinedRequest> asks, Function<CombinedRequest, Boolean> column) throws SQLException {
        return connection.createArrayOf("bool", asks.stream().map(column).toArray(Boolean[]::new));
    }
}
