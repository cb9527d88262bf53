package dev.holdfast.review.reading;

import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The SQL of {@code receipts}. Writers must hold the review's lock. */
public final class ReceiptTable {
    /** Who reads which content, under which grant. */
    record Key(String reviewId, int round, int number, long generation, String reviewer) {}

    /** @param whole the length of the content */
    record Stored(Ranges ranges, int whole) {}

    private static final Sql FIND = Sql.of("""
            SELECT ranges, characters FROM receipts
            WHERE review_id = :review_id AND round = :round AND number = :number AND generation = :generation
                AND reviewer = :reviewer
            """);

    private static final Sql PUT = Sql.of("""
            INSERT INTO receipts (review_id, round, number, generation, reviewer, ranges, characters, at)
            VALUES (:review_id, :round, :number, :generation, :reviewer, :ranges, :characters, :now)
            ON CONFLICT (review_id, round, number, generation, reviewer)
            DO UPDATE SET ranges = excluded.ranges, at = excluded.at
            """);

    private static final Sql OF_CURRENT = Sql.of("""
            SELECT c.reviewer, c.generation, c.ranges, c.characters, c.at, v.revision
            FROM reviews v JOIN receipts c
                ON c.review_id = v.id AND c.round = v.round AND c.number = v.revision_number
            WHERE v.id = :review_id
            ORDER BY c.generation DESC, c.at DESC LIMIT :max
            """);

    private ReceiptTable() {}

    static Optional<Stored> find(Transaction transaction, Key key) throws SQLException {
        return ask(transaction, key).get();
    }

    static Pending<Optional<Stored>> ask(Transaction transaction, Key key) throws SQLException {
        return transaction.askFirst(
                FIND,
                p -> p.text("review_id", key.reviewId)
                        .number("round", key.round)
                        .number("number", key.number)
                        .number("generation", key.generation)
                        .text("reviewer", key.reviewer),
                row -> new Stored(Ranges.read(row.text("ranges")), (int) row.number("characters")));
    }

    static void put(Transaction transaction, Key key, Stored receipt, long now) throws SQLException {
        transaction.change(
                PUT,
                p -> p.text("review_id", key.reviewId)
                        .number("round", key.round)
                        .number("number", key.number)
                        .number("generation", key.generation)
                        .text("reviewer", key.reviewer)
                        .text("ranges", receipt.ranges.toString())
                        .number("characters", receipt.whole)
                        .time("now", now));
    }

    /** Those of the content under review, the newest claim first. */
    static List<Receipt> ofCurrent(Transaction transaction, String id, int max) throws SQLException {
        return transaction.list(
                OF_CURRENT,
                p -> p.text("review_id", id).number("max", max),
                row -> new Receipt(
                        row.text("reviewer"),
                        row.number("generation"),
                        row.text("revision"),
                        Ranges.read(row.text("ranges")).length(),
                        (int) row.number("characters"),
                        ReviewTable.instant(row.time("at"))));
    }
}
