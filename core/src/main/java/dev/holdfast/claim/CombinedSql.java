package dev.holdfast.claim;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds PostgreSQL's combined statement for the kinds of change in a batch. What the statement does:
 *
 * <ol>
 *   <li>It locks the rows in key order and skips those that somebody else has locked, so that nobody waits and nobody
 *       deadlocks.
 *   <li>It then reads the clock.
 *   <li>It changes the rows that clearly satisfy their request, because the fence matches or the row is free; the
 *       update itself has the conditions. All other rows stay as they are and are missing from the result.
 *   <li>It appends the events. Each result row carries its request's ordinal.
 * </ol>
 *
 * <p>Two tricks keep the planner from bad plans: "x IS NULL OR x IN (...)" stays a hashed lookup, and passing the state
 * as a parameter keeps it off that state's partial index.
 */
final class CombinedSql {
    private static final String LOCK_ONE = """
            locked AS MATERIALIZED (
                SELECT lease_clock() AS now
                FROM (SELECT FROM resources WHERE key = :keys FOR UPDATE SKIP LOCKED) AS lock_is_held
            )""";

    private static final String LOCK_ALL = """
            locked AS MATERIALIZED (
                SELECT key FROM resources WHERE key = ANY (:keys) ORDER BY key FOR UPDATE SKIP LOCKED
            ), clock AS MATERIALIZED (
                SELECT lease_clock() AS now FROM (SELECT count(*) FROM locked) AS locks_are_held
            )""";

    private static final String BY_THE_FENCE =
            "r.state = :held AND r.generation = a.generation AND r.holder = a.holder AND r.outer_key IS NULL";

    private static final String FREE = "r.state = :ready AND (r.not_before IS NULL OR r.not_before <= {now})";

    /** All times count once the clock has been set back to before it. */
    private static final String SINCE = """
            CASE WHEN 'epoch'::timestamptz + a.since * interval '1 microsecond' <= {now}
                THEN 'epoch'::timestamptz + a.since * interval '1 microsecond' ELSE '-infinity' END""";

    private static final String END_ACCEPTED = "(a.after < 0 OR a.after IN (SELECT ordinal FROM ended))";

    /** How the requests of a part reach the statement. */
    enum Form {
        /** A single request, by plain values. */
        ONE,
        /** Several requests, by arrays; the columns that usually hold one value do so here, and pass it once. */
        ALIKE,
        /** Several requests, by arrays. */
        MIXED
    }

    /** A column of the requests and its type; its values come in the parameter named after part and column. */
    private record Column(String name, String type) {
        static List<Column> list(String columns) {
            return columns.isEmpty()
                    ? List.of()
                    : Arrays.stream(columns.split(", "))
                            .map(column -> column.split(" "))
                            .map(pair -> new Column(pair[0], pair[1]))
                            .toList();
        }
    }

    /** The kinds of change in a batch. */
    enum Part {
        END(
                "ordinal int, key text, holder text, generation bigint, ending text",
                "type text, next_state text, remark text, keep boolean, detail text",
                """
                ended AS (
                    UPDATE resources r SET
                        state = CASE WHEN r.barred AND a.next_state = 'ready' THEN 'blocked' ELSE a.next_state END,
                        holder = NULL, acquired_at = NULL, renewed_at = NULL, expires_at = NULL, lease = NULL,
                        confirmed = false, request_id = NULL, barred = false, kept = r.kept OR a.keep,
                        ended_generation = r.generation, ended_by = r.holder, ended_as = a.ending,
                        ready_since = CASE WHEN a.next_state = 'ready' AND NOT r.barred THEN {now} END,
                        note = CASE a.next_state WHEN 'done' THEN NULL ELSE coalesce(a.remark, r.note) END
                    FROM {asked}
                    WHERE {of_the_locked} AND {by_the_fence}
                    RETURNING a.ordinal, {now} AS now, a.type, r.key, a.holder, r.generation, a.detail,
                        CASE WHEN r.state = 'ready' AND NOT r.kept THEN r.queue END AS queue, r.priority, r.seq, r.labels
                )""",
                "SELECT now, type, key, holder, generation, detail FROM ended",
                """
                SELECT ordinal, now, generation, 0 AS attempts, NULL::text AS note,
                    NULL::timestamptz AS acquired_at, NULL::timestamptz AS expires_at, queue, priority, seq, labels
                FROM ended"""),
        TAKE(
                "ordinal int, key text, holder text, request text, since bigint, after int, after_key text",
                "lease bigint, given boolean, kind text, queue text",
                """
                taken AS (
                    UPDATE resources r SET
                        state = 'held', holder = a.holder, generation = greatest(r.generation + 1, :least_generation),
                        acquired_at = {now}, renewed_at = {now},
                        expires_at = {now} + a.lease * interval '1 microsecond', lease = a.lease,
                        confirmed = false, request_id = a.request, not_before = NULL, kept = false, ready_since = NULL
                    FROM {asked}
                    WHERE {of_the_locked} AND {free} AND {end_accepted}
                        AND (a.kind IS NULL OR NOT r.kept)
                        AND (a.kind IS NULL OR NOT EXISTS (
                            SELECT 1 FROM resources o
                            WHERE o.holder = a.holder AND o.state = 'held' AND o.kind = a.kind
                                AND o.acquired_at >= {since}
                                AND (a.queue IS NULL OR o.queue = a.queue) AND o.outer_key IS NULL
                                AND CASE WHEN a.given THEN o.request_id = a.request ELSE NOT o.confirmed END
                                AND o.key IS DISTINCT FROM a.after_key))
                    RETURNING a.ordinal, {now} AS now, r.key, a.holder, r.generation, r.attempts, r.note
                )""",
                "SELECT now, 'claimed', key, holder, generation, NULL FROM taken",
                """
                SELECT ordinal, now, generation, attempts, note,
                    NULL::timestamptz AS acquired_at, NULL::timestamptz AS expires_at,
                    NULL::text AS queue, NULL::smallint AS priority, NULL::bigint AS seq, NULL::text AS labels
                FROM taken"""),
        RENEW("ordinal int, key text, holder text, generation bigint", "", """
                renewed AS (
                    UPDATE resources r SET
                        renewed_at = {now}, confirmed = true,
                        expires_at = greatest(r.expires_at, {now} + r.lease * interval '1 microsecond')
                    FROM {asked}
                    WHERE {of_the_locked} AND {by_the_fence}
                    RETURNING a.ordinal, {now} AS now, r.generation, r.attempts, r.acquired_at, r.expires_at
                )""", "", """
                SELECT ordinal, now, generation, attempts, NULL::text AS note,
                    acquired_at, expires_at,
                    NULL::text AS queue, NULL::smallint AS priority, NULL::bigint AS seq, NULL::text AS labels
                FROM renewed""");

        private final String prefix = name().toLowerCase(Locale.ROOT) + "_";
        private final List<Column> own;
        private final List<Column> usuallySame;
        private final String change;
        private final String events;
        private final String answers;

        /** @param usuallySame the columns that are often the same in all requests of a batch */
        Part(String own, String usuallySame, String change, String events, String answers) {
            this.own = Column.list(own);
            this.usuallySame = Column.list(usuallySame);
            this.change = change;
            this.events = events;
            this.answers = answers;
        }

        /** The name of the parameter with a column's values. */
        String parameter(String column) {
            return prefix + column;
        }

        /** The requests as a table {@code a}. What need not be an array costs less as a plain value. */
        private String asked(Form form) {
            List<Column> all = Stream.concat(own.stream(), usuallySame.stream()).toList();
            String names = all.stream().map(Column::name).collect(Collectors.joining(", "));
            return switch (form) {
                case ONE -> "(SELECT " + values(all, "") + ", now FROM locked) AS a (" + names + ", now)";
                case ALIKE ->
                    "(SELECT u.*, " + values(usuallySame, "") + " FROM unnest(" + values(own, "[]") + ") AS u) AS a ("
                            + names + ")";
                case MIXED -> "unnest(" + values(all, "[]") + ") AS a (" + names + ")";
            };
        }

        private String values(List<Column> columns, String array) {
            return columns.stream()
                    .map(column -> ":" + parameter(column.name) + "::" + column.type + array)
                    .collect(Collectors.joining(", "));
        }

        private String change(Form form, boolean endsToo) {
            return change.replace("{asked}", asked(form))
                    .replace(
                            "{of_the_locked}",
                            form == Form.ONE // it comes from the locked row
                                    ? "r.key = a.key"
                                    : "r.key = a.key AND (a.key IS NULL OR a.key IN (SELECT key FROM locked))")
                    .replace("{by_the_fence}", BY_THE_FENCE)
                    .replace("{free}", FREE)
                    .replace("{since}", SINCE)
                    .replace("{end_accepted}", endsToo ? END_ACCEPTED : "true")
                    .replace("{now}", form == Form.ONE ? "a.now" : "(SELECT now FROM clock)");
        }
    }

    private CombinedSql() {}

    /** @param parts what the batch consists of; {@link Form#ONE} if it is a single request */
    static String text(Map<Part, Form> parts) {
        String changes = parts.entrySet().stream()
                .map(part -> part.getKey().change(part.getValue(), parts.containsKey(Part.END)))
                .collect(Collectors.joining(",\n"));
        return """
                WITH {locked}, {changes}{events}
                SELECT * FROM ({answers}) AS answers
                """.replace("{locked}", parts.containsValue(Form.ONE) ? LOCK_ONE : LOCK_ALL)
                .replace("{changes}", changes)
                .replace("{events}", events(parts.keySet()))
                .replace("{answers}", all(parts.keySet(), part -> part.answers));
    }

    private static String events(Set<Part> parts) {
        String events = all(parts, part -> part.events);
        return events.isEmpty() ? "" : """
                , appended AS (
                    INSERT INTO events (at, type, resource, actor, generation, detail, origin)
                    SELECT e.*, :origin FROM ({events}) AS e
                )""".replace("{events}", events);
    }

    private static String all(Set<Part> parts, Function<Part, String> text) {
        return parts.stream().map(text).filter(one -> !one.isEmpty()).collect(Collectors.joining("\nUNION ALL "));
    }
}
