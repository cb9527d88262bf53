package dev.holdfast.review.figures;

import dev.holdfast.claim.LockedClaim;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Drops reviews that were closed or withdrawn long ago, with everything that belongs to them, including events. Never
 * drops an open review. An approval in a dropped review no longer counts.
 */
public final class ReviewRetention {
    private static final int AT_ONCE = 50;

    /** The tables with a review's parts; a test checks that none is missing. */
    public static final List<String> PARTS = List.of(
            "imported_reviews",
            "proposers",
            "receipts",
            "review_desks",
            "findings",
            "messages",
            "verdicts",
            "revisions");

    private static final Sql OVER = Sql.of("""
            SELECT id FROM reviews WHERE status = :status AND updated_at < :before ORDER BY updated_at, seq LIMIT :max
            """);

    private static final Sql STILL_OVER = Sql.of("SELECT id FROM reviews WHERE id = :id AND updated_at < :before");

    private static final List<Sql> DROP = Stream.concat(
                    PARTS.stream().map(part -> "DELETE FROM " + part + " WHERE review_id = :id"),
                    Stream.of("DELETE FROM reviews WHERE id = :id"))
            .map(Sql::of)
            .toList();

    private static final Sql DROP_EVENTS = Sql.of("DELETE FROM events WHERE resource = 'review:' || :id");

    private final ReviewChanges changes;
    private final Tally tally;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(ReviewRetention.class), "drop review");

    public ReviewRetention(ReviewChanges changes, Tally tally) {
        this.changes = changes;
        this.tally = tally;
    }

    /** Drops some of the reviews that ended longer ago than this; returns how many. Zero means that none are left. */
    public int drop(Duration kept) {
        tally.catchUp(); // their last events must be counted before they are dropped
        long before = changes.store().read(transaction -> transaction.now()) - kept.toNanos() / 1_000;
        List<String> over = changes.store().read(transaction -> over(transaction, before));
        return BadRows.either(() -> drop(over, before), () -> (int) over.stream()
                .filter(id -> bad.attempt(id, () -> drop(List.of(id), before) > 0))
                .count());
    }

    private int drop(List<String> over, long before) {
        return changes.store().write(transaction -> {
            TallyTable.lock(transaction);
            int dropped = 0;
            for (String id : over) {
                dropped += drop(transaction, id, before) ? 1 : 0;
            }
            return dropped;
        });
    }

    private List<String> over(Transaction transaction, long before) throws SQLException {
        List<String> ids = new ArrayList<>();
        for (ReviewStatus status : List.of(ReviewStatus.CLOSED, ReviewStatus.WITHDRAWN)) {
            ids.addAll(transaction.list(
                    OVER,
                    p -> p.text("status", status.toString())
                            .time("before", before)
                            .number("max", AT_ONCE + bad.count()),
                    row -> row.text("id")));
        }
        return ids;
    }

    private boolean drop(Transaction transaction, String id, long before) throws SQLException {
        Optional<LockedClaim> claimState = changes.transactional().lock(transaction, Review.resource(id));
        boolean still = transaction
                .first(STILL_OVER, p -> p.text("id", id).time("before", before), row -> row.text("id"))
                .isPresent();
        if (!still || (claimState.isPresent() && claimState.get().claim() != null)) {
            return false; // another broker was faster
        }
        tally.forget(transaction, id);
        for (Sql sql : DROP) {
            transaction.change(sql, p -> p.text("id", id));
        }
        transaction.change(DROP_EVENTS, p -> p.text("id", id));
        changes.transactional().forget(transaction, Review.resource(id));
        return true;
    }
}
