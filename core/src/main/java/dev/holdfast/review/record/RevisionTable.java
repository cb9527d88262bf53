package dev.holdfast.review.record;

import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code revisions}: append-only. */
public final class RevisionTable {
    private static final Sql ADD = Sql.of("""
            INSERT INTO revisions (review_id, round, number, revision, wherever, bases, base, intent, description,
                diff, affected_files, source, created_at)
            VALUES (:review_id, :round, :number, :revision, :wherever, :bases, :base, :intent, :description,
                :diff, :affected_files, :source, :now)
            """);

    private static final Sql CURRENT = Sql.of("""
            SELECT x.* FROM revisions x JOIN reviews v
                ON v.id = x.review_id AND v.round = x.round AND v.revision_number = x.number
            WHERE x.review_id = :review_id
            """);

    private static final Sql LAST_OF_ROUND = Sql.of("""
            SELECT * FROM revisions WHERE review_id = :review_id AND round = :round ORDER BY number DESC LIMIT 1
            """);

    private static final Sql FIND = Sql.of("""
            SELECT * FROM revisions WHERE review_id = :review_id AND round = :round AND number = :number
            """);

    private RevisionTable() {}

    /** @param base the commit that the diff was made from; null: unknown */
    public static void add(
            Transaction transaction,
            String id,
            int round,
            int number,
            Content content,
            @Nullable String base,
            String source,
            long now)
            throws SQLException {
        transaction.change(
                ADD,
                p -> p.text("review_id", id)
                        .number("round", round)
                        .number("number", number)
                        .text("revision", content.revision())
                        .text("wherever", content.wherever())
                        .text("bases", content.bases())
                        .text("base", base)
                        .text("intent", content.intent())
                        .text("description", content.description())
                        .text("diff", content.diff())
                        .text("affected_files", content.affectedFiles())
                        .text("source", source)
                        .time("now", now));
    }

    public static Revision current(Transaction transaction, String id) throws SQLException {
        return askCurrent(transaction, id).get();
    }

    public static Pending<Revision> askCurrent(Transaction transaction, String id) throws SQLException {
        Pending<Optional<Revision>> found =
                transaction.askFirst(CURRENT, p -> p.text("review_id", id), RevisionTable::read);
        return () -> found.get().orElseThrow(() -> new SQLException("review " + id + " has no current revision"));
    }

    /** The last content of a round; empty if there was no such round. */
    public static Pending<Optional<Revision>> lastOfRound(Transaction transaction, String id, long round)
            throws SQLException {
        return transaction.askFirst(
                LAST_OF_ROUND, p -> p.text("review_id", id).number("round", round), RevisionTable::read);
    }

    public static Optional<Revision> find(Transaction transaction, String id, long round, long number)
            throws SQLException {
        return transaction.first(
                FIND,
                p -> p.text("review_id", id).number("round", round).number("number", number),
                RevisionTable::read);
    }

    private static Revision read(Row row) throws SQLException {
        return new Revision(
                (int) row.number("round"),
                (int) row.number("number"),
                row.text("revision"),
                row.text("intent"),
                row.textOrNull("description"),
                row.textOrNull("diff"),
                row.textOrNull("affected_files"),
                row.textOrNull("base"),
                row.text("source"),
                ReviewTable.instant(row.time("created_at")));
    }
}
