package dev.holdfast.review.record;

import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code verdicts}: append-only, except for the status of a counter-patch. */
public final class VerdictTable {
    private static final Sql ADD = Sql.of("""
            INSERT INTO verdicts (review_id, round, revision, verdict, reason, reviewer, generation,
                counter_patch, counter_patch_revision, counter_patch_affected_files, counter_patch_status, read_all,
                agent, known_by, engine, at)
            VALUES (:review_id, :round, :revision, :verdict, :reason, :reviewer, :generation,
                :counter_patch, :counter_patch_revision, :counter_patch_affected_files, :counter_patch_status, :read_all,
                :agent, :known_by, :engine, :now)
            """);

    private static final Sql OF_GRANT = Sql.of("""
            SELECT * FROM verdicts WHERE review_id = :review_id AND generation = :generation AND verdict <> 'comment'
            ORDER BY id DESC LIMIT 1
            """);

    private static final Sql COUNTER_PATCH = Sql.of("""
            SELECT * FROM verdicts WHERE review_id = :review_id AND round = :round AND counter_patch_status IS NOT NULL
            ORDER BY id DESC LIMIT 1
            """);

    private static final Sql SUPERSEDE = Sql.of("""
            UPDATE verdicts SET counter_patch_status = 'superseded'
            WHERE review_id = :review_id AND counter_patch_status = 'pending'
            """);

    private static final Sql DECIDE =
            Sql.of("UPDATE verdicts SET counter_patch_status = :status WHERE review_id = :review_id AND id = :id");

    private static final Sql ALL = Sql.of("SELECT * FROM verdicts WHERE review_id = :review_id ORDER BY id");

    private VerdictTable() {}

    /**
     * @param readAll whether the reviewer had been shown all of the content; null: unknown or irrelevant
     * @param judge what is known of the reviewer; null if it is the broker itself
     */
    public static void add(
            Transaction transaction,
            ReviewRow review,
            String verdict,
            @Nullable String reason,
            @Nullable String reviewer,
            @Nullable Long generation,
            @Nullable Content counterPatch,
            @Nullable Boolean readAll,
            @Nullable ReviewerIdentity judge,
            long now)
            throws SQLException {
        if (counterPatch != null) {
            transaction.change(SUPERSEDE, p -> p.text("review_id", review.id));
        }
        transaction.change(
                ADD,
                p -> p.text("review_id", review.id)
                        .number("round", review.round)
                        .text("revision", review.revision)
                        .text("verdict", verdict)
                        .text("reason", reason)
                        .text("reviewer", reviewer)
                        .number("generation", generation)
                        .text("counter_patch", counterPatch == null ? null : counterPatch.diff())
                        .text("counter_patch_revision", counterPatch == null ? null : counterPatch.revision())
                        .text(
                                "counter_patch_affected_files",
                                counterPatch == null ? null : counterPatch.affectedFiles())
                        .text(
                                "counter_patch_status",
                                counterPatch == null ? null : CounterPatchStatus.PENDING.toString())
                        .flag("read_all", readAll)
                        .text("agent", judge == null ? null : judge.agent())
                        .text("known_by", judge == null ? null : judge.known().toString())
                        .text("engine", judge == null ? null : judge.engine())
                        .time("now", now));
    }

    /** The verdict that ended this grant. */
    public static Optional<Verdict> ofGrant(Transaction transaction, String id, long generation) throws SQLException {
        return transaction.first(
                OF_GRANT, p -> p.text("review_id", id).number("generation", generation), VerdictTable::read);
    }

    /** The verdict with the round's last counter-patch, whatever became of it. */
    public static Pending<Optional<Verdict>> counterPatch(Transaction transaction, String id, long round)
            throws SQLException {
        return transaction.askFirst(
                COUNTER_PATCH, p -> p.text("review_id", id).number("round", round), VerdictTable::read);
    }

    public static void decide(Transaction transaction, String id, long verdict, CounterPatchStatus status)
            throws SQLException {
        transaction.change(
                DECIDE, p -> p.text("review_id", id).number("id", verdict).text("status", status.toString()));
    }

    public static Pending<List<Verdict>> all(Transaction transaction, String id) throws SQLException {
        return transaction.ask(ALL, p -> p.text("review_id", id), VerdictTable::read);
    }

    private static Verdict read(Row row) throws SQLException {
        return new Verdict(
                row.number("id"),
                (int) row.number("round"),
                row.text("revision"),
                row.text("verdict"),
                row.textOrNull("reason"),
                row.textOrNull("reviewer"),
                row.numberOrNull("generation"),
                row.textOrNull("counter_patch"),
                row.textOrNull("counter_patch_revision"),
                row.textOrNull("counter_patch_affected_files"),
                CounterPatchStatus.of(row.textOrNull("counter_patch_status")),
                row.textOrNull("agent"),
                row.textOrNull("known_by"),
                row.textOrNull("engine"),
                ReviewTable.instant(row.time("at")));
    }
}
