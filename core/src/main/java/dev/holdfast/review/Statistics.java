package dev.holdfast.review;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How reviewing goes: how many, how fast, how often approved. Times are exact to the microsecond. */
public final class Statistics {
    /**
     * @param approvalRate share of the reviews with a reviewer's verdict that were ever approved, in percent; null: none
     * @param toVerdictMicros from creation to the first verdict of a reviewer, on average
     * @param durationMicros from creation to closing, on average
     * @param inStateMicros how long reviews stay in each status, on average
     */
    public record Found(
            long total,
            Map<String, Long> byStatus,
            Map<String, Long> byCategory,
            @Nullable Double approvalRate,
            @Nullable Long toVerdictMicros,
            @Nullable Long durationMicros,
            Map<String, Long> inStateMicros) {}

    private static final String ONLY = " AND (:project = '' OR v.project_key = :project)";

    private static final Sql BY_STATUS = Sql.of("SELECT " + ReviewTable.SHOWN_STATUS + " AS name, count(*) AS number"
            + " FROM reviews v JOIN resources r ON r.key = 'review:' || v.id WHERE 1 = 1" + ONLY + " GROUP BY 1");

    private static final Sql BY_CATEGORY =
            Sql.of("SELECT coalesce(v.category, 'uncategorized') AS name, count(*) AS number"
                    + " FROM reviews v WHERE 1 = 1" + ONLY + " GROUP BY 1 ORDER BY 1");

    private static final Sql JUDGED = Sql.of("""
            SELECT count(*) AS judged, coalesce(sum(j.approved), 0) AS approved FROM (
                SELECT x.review_id, max(CASE WHEN x.verdict = 'approved' THEN 1 ELSE 0 END) AS approved
                FROM verdicts x JOIN reviews v ON v.id = x.review_id
                WHERE x.verdict <> 'comment' AND coalesce(x.reviewer, '') <> 'broker-validator'""" + ONLY + """
                 GROUP BY x.review_id) j
            """);

    private final Store store;
    private final Map<String, Sql> ofEngine;

    Statistics(Store store) {
        this.store = store;
        ofEngine = Map.of(
                "verdict", Sql.of("SELECT " + average(store.engine(), "j.first", "j.created_at") + """
                         AS micros FROM (
                            SELECT min(x.at) AS first, v.created_at FROM verdicts x JOIN reviews v ON v.id = x.review_id
                            WHERE x.verdict <> 'comment' AND coalesce(x.reviewer, '') <> 'broker-validator'""" + ONLY + """
                             GROUP BY v.id, v.created_at) j
                        """),
                "closed",
                        Sql.of("SELECT " + average(store.engine(), "v.updated_at", "v.created_at")
                                + " AS micros FROM reviews v WHERE v.status = 'closed'" + ONLY),
                "states",
                        Sql.of("SELECT s.state AS name, " + average(store.engine(), "s.next_at", "s.at") + """
                         AS number FROM (
                            SELECT c.state, c.at, lead(c.at) OVER (PARTITION BY c.resource ORDER BY c.id) AS next_at
                            FROM (SELECT e.id, e.at, e.resource, CASE e.type
                                    WHEN 'claimed' THEN 'claimed' WHEN 'taken_over' THEN 'claimed'
                                    WHEN 'released' THEN 'pending' WHEN 'reclaimed' THEN 'pending'
                                    WHEN 'review_created' THEN 'pending' WHEN 'review_revised' THEN 'pending'
                                    WHEN 'review_reclaimed' THEN 'pending' WHEN 'review_detached' THEN 'pending'
                                    WHEN 'review_auto_rejected' THEN 'changes_requested'
                                    WHEN 'review_closed' THEN 'closed' WHEN 'review_withdrawn' THEN 'withdrawn'
                                    WHEN 'verdict_submitted' THEN\s"""
                                + newStatus(store.engine()) + """
                                     END AS state
                                FROM events e WHERE e.resource >= 'review:' AND e.resource < 'review;'
                                    AND (:project = '' OR e.resource IN
                                        (SELECT 'review:' || v.id FROM reviews v WHERE v.project_key = :project))) c
                            WHERE c.state IS NOT NULL) s
                        WHERE s.next_at IS NOT NULL GROUP BY 1 ORDER BY 1
                        """));
    }

    private static String average(Engine engine, String later, String earlier) {
        return switch (engine) {
            case SQLITE -> "CAST(round(avg(" + later + " - " + earlier + ")) AS INTEGER)";
            case POSTGRES ->
                "CAST(round(avg(extract(epoch FROM " + later + " - " + earlier + ")) * 1000000) AS bigint)";
        };
    }

    private static String newStatus(Engine engine) {
        return switch (engine) {
            case SQLITE -> "json_extract(e.detail, '$.new_status')";
            case POSTGRES -> "CAST(e.detail AS json) ->> 'new_status'";
        };
    }

    /** @param project null: of all projects */
    public Found of(@Nullable String project) {
        String key = Project.key(project);
        return store.read(transaction -> {
            Map<String, Long> byStatus = new LinkedHashMap<>();
            Status.words().forEach(word -> byStatus.put(word, 0L));
            byStatus.putAll(numbers(transaction, BY_STATUS, key));
            return new Found(
                    byStatus.values().stream().mapToLong(Long::longValue).sum(),
                    byStatus,
                    numbers(transaction, BY_CATEGORY, key),
                    approvalRate(transaction, key),
                    average(transaction, "verdict", key),
                    average(transaction, "closed", key),
                    numbers(transaction, statement("states"), key));
        });
    }

    private static @Nullable Double approvalRate(Transaction transaction, String key) throws SQLException {
        return transaction
                .first(JUDGED, p -> p.text("project", key), row ->
                        new long[] {row.number("judged"), row.number("approved")})
                .filter(counts -> counts[0] > 0)
                .map(counts -> Math.round(1_000.0 * counts[1] / counts[0]) / 10.0)
                .orElse(null);
    }

    private @Nullable Long average(Transaction transaction, String name, String key) throws SQLException {
        return transaction
                .first(
                        statement(name),
                        p -> p.text("project", key),
                        row -> Optional.ofNullable(row.numberOrNull("micros")))
                .flatMap(found -> found)
                .orElse(null);
    }

    private Sql statement(String name) {
        return Objects.requireNonNull(ofEngine.get(name));
    }

    private static Map<String, Long> numbers(Transaction transaction, Sql sql, String key) throws SQLException {
        Map<String, Long> numbers = new LinkedHashMap<>();
        transaction
                .list(sql, p -> p.text("project", key), row -> Map.entry(row.text("name"), row.number("number")))
                .forEach(entry -> numbers.put(entry.getKey(), entry.getValue()));
        return numbers;
    }
}
