package dev.holdfast.review.figures;

import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The SQL behind the statistics: {@code review_tally tallied_reviews review_figures}. */
public final class TallyTable {
    private static final Sql COUNTED = Sql.of("SELECT counted_until FROM review_tally");
    private static final Sql LOCK = Sql.of("SELECT counted_until FROM review_tally FOR UPDATE");
    private static final Sql MOVE = Sql.of("UPDATE review_tally SET counted_until = :until");

    private static final Sql FIND = Sql.of("SELECT * FROM tallied_reviews WHERE review_id = :review_id");

    private static final Sql FIRST_SEEN =
            Sql.of("SELECT project_key, category, created_at FROM reviews WHERE id = :review_id");

    private static final Sql KEEP = Sql.of("""
            INSERT INTO tallied_reviews (review_id, project_key, category, status, since, created_at, judged, approved)
            VALUES (:review_id, :project_key, :category, :status, :since, :created_at, :judged, :approved)
            ON CONFLICT (review_id) DO UPDATE SET project_key = excluded.project_key, status = excluded.status,
                since = excluded.since, judged = excluded.judged, approved = excluded.approved
            """);

    private static final Sql FORGET = Sql.of("DELETE FROM tallied_reviews WHERE review_id = :review_id");

    private static final Sql ADD = Sql.of("""
            INSERT INTO review_figures (project_key, figure, number, micros) VALUES (:project_key, :figure, :number, :micros)
            ON CONFLICT (project_key, figure) DO UPDATE
            SET number = review_figures.number + excluded.number, micros = review_figures.micros + excluded.micros
            """);

    private static final Sql SUMS = Sql.of("""
            SELECT figure, CAST(sum(number) AS bigint) AS number, CAST(sum(micros) AS bigint) AS micros
            FROM review_figures GROUP BY figure ORDER BY figure
            """);

    private static final Sql SUMS_OF_PROJECT = Sql.of(
            "SELECT figure, number, micros FROM review_figures WHERE project_key = :project_key ORDER BY figure");

    private static final Sql PROJECTS = Sql.of("""
            SELECT coalesce((SELECT r.project FROM reviews r WHERE r.project_key = largest.project_key
                    ORDER BY r.seq DESC LIMIT 1), largest.project_key) AS project, number
            FROM (SELECT project_key, CAST(sum(number) AS bigint) AS number FROM review_figures
                WHERE project_key <> '' AND figure LIKE 'now:%' GROUP BY project_key
                ORDER BY 2 DESC, 1 LIMIT :max) largest
            ORDER BY number DESC, project_key
            """);

    /** A count, and the total time. */
    record Sum(long number, long micros) {
        static final Sum NONE = new Sum(0, 0);

        Sum plus(long more, long moreMicros) {
            return new Sum(number + more, micros + moreMicros);
        }
    }

    private TallyTable() {}

    static long counted(Transaction transaction) throws SQLException {
        return transaction
                .first(COUNTED, _ -> {}, row -> row.number("counted_until"))
                .orElseThrow();
    }

    /** Only one transaction counts at a time. */
    static long lock(Transaction transaction) throws SQLException {
        return transaction
                .first(LOCK, _ -> {}, row -> row.number("counted_until"))
                .orElseThrow();
    }

    static void move(Transaction transaction, long until) throws SQLException {
        transaction.change(MOVE, p -> p.number("until", until));
    }

    static Optional<CountedReview> find(Transaction transaction, String id) throws SQLException {
        return transaction.first(FIND, p -> p.text("review_id", id), TallyTable::read);
    }

    /** A review that has not been counted yet, in this status since that time; empty if there is no such review. */
    static Optional<CountedReview> firstSeen(Transaction transaction, String id, String status, long since)
            throws SQLException {
        return transaction.first(FIRST_SEEN, p -> p.text("review_id", id), row -> {
            String category = row.textOrNull("category");
            return new CountedReview(
                    id,
                    row.text("project_key"),
                    category == null ? "uncategorized" : category,
                    status,
                    since,
                    row.time("created_at"),
                    false,
                    false);
        });
    }

    static void keep(Transaction transaction, CountedReview review) throws SQLException {
        transaction.change(
                KEEP,
                p -> p.text("review_id", review.id())
                        .text("project_key", review.project())
                        .text("category", review.category())
                        .text("status", review.status())
                        .time("since", review.since())
                        .time("created_at", review.createdAt())
                        .flag("judged", review.judged())
                        .flag("approved", review.approved()));
    }

    static void forget(Transaction transaction, String id) throws SQLException {
        transaction.change(FORGET, p -> p.text("review_id", id));
    }

    static void add(Transaction transaction, String project, String figure, Sum more) throws SQLException {
        transaction.change(
                ADD,
                p -> p.text("project_key", project)
                        .text("figure", figure)
                        .number("number", more.number())
                        .number("micros", more.micros()));
    }

    /** @param project the project's key; empty: all projects together */
    static Map<String, Sum> sums(Transaction transaction, String project) throws SQLException {
        Map<String, Sum> sums = new LinkedHashMap<>();
        transaction
                .list(
                        project.isEmpty() ? SUMS : SUMS_OF_PROJECT,
                        p -> {
                            if (!project.isEmpty()) {
                                p.text("project_key", project);
                            }
                        },
                        row -> Map.entry(row.text("figure"), new Sum(row.number("number"), row.number("micros"))))
                .forEach(entry -> sums.put(entry.getKey(), entry.getValue()));
        return sums;
    }

    /** How many reviews each project has, by the name in its latest review, the largest first. */
    static Map<String, Long> projects(Transaction transaction, int max) throws SQLException {
        Map<String, Long> projects = new LinkedHashMap<>();
        transaction
                .list(PROJECTS, p -> p.number("max", max), row -> Map.entry(row.text("project"), row.number("number")))
                .forEach(entry -> projects.put(entry.getKey(), entry.getValue()));
        return projects;
    }

    private static CountedReview read(Row row) throws SQLException {
        return new CountedReview(
                row.text("review_id"),
                row.text("project_key"),
                row.text("category"),
                row.text("status"),
                row.time("since"),
                row.time("created_at"),
                row.flag("judged"),
                row.flag("approved"));
    }
}
