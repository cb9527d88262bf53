package dev.holdfast.review.approval;

import dev.holdfast.review.approval.Approvals.Decision.Overridden;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of approvals, read from reviews and their verdicts, and of {@code overrides}. */
final class ApprovalTable {
    /** How many reviews of the same content, or of one project, are examined to explain a missing approval. */
    private static final int LOOKED_AT = 50;

    /**
     * An approved review of the same change, at any position in the files.
     *
     * @param revision of the content it approved
     * @param bases JSON of {@link BaseVersions}; null: none recorded
     * @param readAll null: unknown
     */
    record Approval(
            String reviewId,
            String revision,
            @Nullable String bases,
            @Nullable String reviewer,
            @Nullable String knownBy,
            @Nullable String engine,
            @Nullable Boolean readAll,
            Instant at) {}

    /**
     * A review that has or had the same change, at any position in the files.
     *
     * @param bases JSON of {@link BaseVersions}; null: none recorded
     * @param current it is the review's current content
     * @param approved it is currently approved and not withdrawn
     * @param judgedApproved the last verdict on it was an approval
     */
    record Same(
            String reviewId,
            String project,
            String revision,
            @Nullable String bases,
            boolean current,
            boolean approved,
            boolean judgedApproved,
            boolean withdrawn) {}

    record Recent(String reviewId, @Nullable String affectedFiles) {}

    private static final Sql APPROVALS = Sql.of("""
            SELECT v.id, x.revision, x.bases, d.reviewer, d.known_by, d.engine, d.read_all, d.at
            FROM revisions x
                JOIN reviews v ON v.id = x.review_id AND v.round = x.round AND v.revision_number = x.number
                JOIN verdicts d ON d.review_id = v.id AND d.revision = x.revision AND d.verdict = 'approved'
            WHERE (x.revision = :revision OR x.wherever = :wherever)
                AND v.project_key = :project AND v.status IN ('approved', 'closed')
                AND (x.revision <> x.wherever OR NOT EXISTS (
                    SELECT 1 FROM revisions y
                        JOIN reviews w ON w.id = y.review_id
                        JOIN verdicts e ON e.review_id = y.review_id AND e.revision = y.revision
                    WHERE y.wherever = x.wherever AND y.revision <> y.wherever
                        AND w.project_key = v.project_key AND e.verdict IN ('approved', 'changes_requested')))
            ORDER BY CASE WHEN x.revision IN (:revision, :wherever) THEN 0 ELSE 1 END, d.id DESC LIMIT :max
            """);

    private static final Sql SAME = Sql.of("""
            SELECT DISTINCT v.seq, v.id, v.project_key, v.status, v.revision AS current_revision, x.revision, x.bases,
                (SELECT d.verdict FROM verdicts d
                 WHERE d.review_id = v.id AND d.revision = x.revision AND d.verdict <> 'comment'
                 ORDER BY d.id DESC LIMIT 1) AS judged
            FROM revisions x JOIN reviews v ON v.id = x.review_id
            WHERE x.revision = :revision OR x.wherever = :wherever
            ORDER BY v.seq DESC LIMIT :max
            """);

    private static final Sql RECENT = Sql.of("""
            SELECT v.id, x.affected_files
            FROM reviews v JOIN revisions x
                ON x.review_id = v.id AND x.round = v.round AND x.number = v.revision_number
            WHERE v.project_key = :project AND v.status <> 'withdrawn'
            ORDER BY v.seq DESC LIMIT :max
            """);

    private static final Sql ADD_OVERRIDE = Sql.of("""
            INSERT INTO overrides (project_key, revision, overridden_by, reason, known_by, at)
            VALUES (:project, :revision, :who, :reason, :known_by, :now)
            ON CONFLICT (project_key, revision) DO NOTHING
            """);

    private static final Sql OVERRIDE = Sql.of("""
            SELECT * FROM overrides WHERE project_key = :project AND revision IN (:revision, :wherever) ORDER BY at LIMIT 1
            """);

    private ApprovalTable() {}

    /** Those of exactly this revision first, then the newest. */
    static List<Approval> approvals(Transaction transaction, ApprovalQuery asked) throws SQLException {
        return transaction.list(
                APPROVALS,
                p -> p.text("project", asked.project())
                        .text("revision", asked.revision())
                        .text("wherever", asked.wherever())
                        .number("max", LOOKED_AT),
                row -> new Approval(
                        row.text("id"),
                        row.text("revision"),
                        row.textOrNull("bases"),
                        row.textOrNull("reviewer"),
                        row.textOrNull("known_by"),
                        row.textOrNull("engine"),
                        row.flagOrNull("read_all"),
                        ReviewTable.instant(row.time("at"))));
    }

    /** Newest first. */
    static List<Same> same(Transaction transaction, ApprovalQuery asked) throws SQLException {
        return transaction.list(
                SAME,
                p -> p.text("revision", asked.revision())
                        .text("wherever", asked.wherever())
                        .number("max", LOOKED_AT),
                row -> {
                    boolean judgedApproved = Verdict.APPROVED.equals(row.textOrNull("judged"));
                    boolean current = row.text("revision").equals(row.text("current_revision"));
                    ReviewStatus status = ReviewStatus.of(row.text("status"));
                    boolean stands = status == ReviewStatus.APPROVED || status == ReviewStatus.CLOSED;
                    return new Same(
                            row.text("id"),
                            row.text("project_key"),
                            row.text("revision"),
                            row.textOrNull("bases"),
                            current,
                            judgedApproved && stands && current,
                            judgedApproved,
                            status == ReviewStatus.WITHDRAWN);
                });
    }

    /** Of one project, newest first. */
    static List<Recent> recent(Transaction transaction, String project) throws SQLException {
        return transaction.list(
                RECENT,
                p -> p.text("project", project).number("max", LOOKED_AT),
                row -> new Recent(row.text("id"), row.textOrNull("affected_files")));
    }

    /** False if there is one already. */
    static boolean addOverride(
            Transaction transaction, String project, String revision, String by, String reason, ReviewerIdentity judge)
            throws SQLException {
        long now = transaction.now();
        return transaction.update(
                        ADD_OVERRIDE,
                        p -> p.text("project", project)
                                .text("revision", revision)
                                .text("who", by)
                                .text("reason", reason)
                                .text("known_by", judge.known().toString())
                                .time("now", now))
                > 0;
    }

    /** The first one recorded. */
    static Optional<Overridden> override(Transaction transaction, ApprovalQuery asked) throws SQLException {
        return transaction.first(
                OVERRIDE,
                p -> p.text("project", asked.project())
                        .text("revision", asked.revision())
                        .text("wherever", asked.wherever()),
                ApprovalTable::readOverride);
    }

    private static Overridden readOverride(Row row) throws SQLException {
        return new Overridden(
                row.text("revision"),
                row.text("project_key"),
                row.text("overridden_by"),
                row.textOrNull("known_by"),
                row.text("reason"),
                ReviewTable.instant(row.time("at")));
    }
}
