package dev.holdfast.review.imports;

import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of imports: {@code imported_reviews}, and rows of other tables written with their original history. */
final class ImportTable {
    /** The state up to which a review was imported. */
    record Known(String fingerprint, long lastEvent, long generation) {}

    private static final Sql KNOWN = Sql.of("SELECT * FROM imported_reviews WHERE review_id = :review_id");

    private static final Sql KEEP = Sql.of("""
            INSERT INTO imported_reviews (review_id, fingerprint, last_event, generation)
            VALUES (:review_id, :fingerprint, :last_event, :generation)
            ON CONFLICT (review_id) DO UPDATE SET fingerprint = excluded.fingerprint, last_event = excluded.last_event,
                generation = excluded.generation
            """);

    private static final Sql PUT = Sql.of("""
            INSERT INTO reviews (id, project, project_key, category, intent, agent_type, agent_role, phase, plan, task,
                priority, status, round, revision, revision_number, skip_diff_validation, verdict_reason, verdict_by,
                last_call, created_at, updated_at)
            VALUES (:id, :project, :project_key, :category, :intent, :agent_type, :agent_role, :phase, :plan, :task,
                :priority, :status, :round, :revision, :revision_number, :skip_diff_validation, :verdict_reason, :verdict_by,
                :last_call, :created_at, :updated_at)
            ON CONFLICT (id) DO UPDATE SET project = excluded.project, project_key = excluded.project_key,
                intent = excluded.intent, status = excluded.status, round = excluded.round, revision = excluded.revision,
                revision_number = excluded.revision_number, skip_diff_validation = excluded.skip_diff_validation,
                verdict_reason = excluded.verdict_reason, verdict_by = excluded.verdict_by,
                last_call = excluded.last_call, updated_at = excluded.updated_at
            """);

    private static final Sql JUDGED = Sql.of("""
            INSERT INTO verdicts (review_id, round, revision, verdict, reason, reviewer, generation,
                counter_patch, counter_patch_revision, counter_patch_affected_files, counter_patch_status, at)
            VALUES (:review_id, :round, :revision, :verdict, :reason, :reviewer, :generation,
                :counter_patch, :counter_patch_revision, :counter_patch_affected_files, :counter_patch_status, :at)
            """);

    private static final Sql SAID = Sql.of("""
            INSERT INTO messages (id, review_id, sender_role, round, body, metadata, at)
            VALUES (:id, :review_id, :sender_role, :round, :body, :metadata, :at) ON CONFLICT (id) DO NOTHING
            """);

    private ImportTable() {}

    static Optional<Known> known(Transaction transaction, String id) throws SQLException {
        return transaction.first(
                KNOWN,
                p -> p.text("review_id", id),
                row -> new Known(row.text("fingerprint"), row.number("last_event"), row.number("generation")));
    }

    static void keep(Transaction transaction, String id, Known known) throws SQLException {
        transaction.change(
                KEEP,
                p -> p.text("review_id", id)
                        .text("fingerprint", known.fingerprint())
                        .number("last_event", known.lastEvent())
                        .number("generation", known.generation()));
    }

    static void put(Transaction transaction, ImportedReview review, String revision, int number, String call, long now)
            throws SQLException {
        transaction.change(
                PUT,
                p -> bind(p, review, now)
                        .text("revision", revision)
                        .number("revision_number", number)
                        .text("last_call", call));
    }

    private static Parameters bind(Parameters p, ImportedReview review, long now) throws SQLException {
        boolean judged = review.stored() != ReviewStatus.PENDING;
        return ReviewTable.proposed(p, review.id(), review.proposal())
                .number("priority", Priority.named(review.priority()).rank())
                .text("status", review.stored().toString())
                .number("round", review.round())
                .text("verdict_reason", review.verdictReason())
                .text("verdict_by", judged ? review.claimedBy() : null)
                .time("created_at", micros(review.createdAt(), now))
                .time("updated_at", micros(review.updatedAt(), now));
    }

    static void verdict(
            Transaction transaction,
            String id,
            String revision,
            ImportedReview.VerdictEntry verdict,
            @Nullable Content counterPatch,
            long now)
            throws SQLException {
        CounterPatchStatus status = verdict.counterPatchStatus();
        transaction.change(
                JUDGED,
                p -> p.text("review_id", id)
                        .number("round", verdict.round())
                        .text("revision", revision)
                        .text("verdict", verdict.verdict())
                        .text("reason", verdict.reason())
                        .text("reviewer", verdict.reviewer())
                        .number("generation", verdict.generation())
                        .text("counter_patch", counterPatch == null ? null : counterPatch.diff())
                        .text("counter_patch_revision", counterPatch == null ? null : counterPatch.revision())
                        .text(
                                "counter_patch_affected_files",
                                counterPatch == null ? null : counterPatch.affectedFiles())
                        .text("counter_patch_status", status == null ? null : status.toString())
                        .time("at", micros(verdict.at(), now)));
    }

    static void message(Transaction transaction, String id, ImportedReview.MessageEntry message, long now)
            throws SQLException {
        transaction.change(
                SAID,
                p -> p.text("id", message.id())
                        .text("review_id", id)
                        .text("sender_role", message.senderRole())
                        .number("round", message.round())
                        .text("body", message.body())
                        .text("metadata", message.metadata())
                        .time("at", micros(message.at(), now)));
    }

    /** A time in the future by another clock is stored as now: it must not pull the lease clock ahead. */
    static long micros(Instant at, long now) {
        return Math.min(now, LeaseClock.micros(at));
    }
}
