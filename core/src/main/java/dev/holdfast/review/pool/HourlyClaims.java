package dev.holdfast.review.pool;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How many reviews the pool has claimed in the last hour, minute by minute, over all brokers. */
final class HourlyClaims {
    private static final long HOUR = 60;

    private static final Sql REVIEWS_SINCE =
            Sql.of("SELECT coalesce(sum(reviews), 0) AS number FROM pool_minutes WHERE minute > :since");

    private static final Sql COUNT_REVIEW = Sql.of("""
            INSERT INTO pool_minutes (minute, reviews) VALUES (:minute, 1)
            ON CONFLICT (minute) DO UPDATE SET reviews = pool_minutes.reviews + 1
            """);

    private static final Sql FORGET_REVIEWS = Sql.of("DELETE FROM pool_minutes WHERE minute <= :since");

    private HourlyClaims() {}

    /**
     * Counts one more.
     *
     * @param max the limit per hour; null: no limit
     */
    static void count(Transaction transaction, long now, @Nullable Long max) throws SQLException {
        long minute = minute(now);
        long taken = inTheLastHour(transaction, now);
        if (max != null && taken >= max) {
            throw new RefusedException(
                    RefusalCode.BUSY,
                    "The pool has taken " + taken + " reviews in the last hour, its limit"
                            + " (reviewer_pool.limits.reviews_per_hour); it continues as earlier reviews become more than an hour old");
        }
        transaction.change(COUNT_REVIEW, p -> p.number("minute", minute));
        transaction.change(FORGET_REVIEWS, p -> p.number("since", minute - HOUR));
    }

    static long inTheLastHour(Transaction transaction, long now) throws SQLException {
        return transaction
                .first(REVIEWS_SINCE, p -> p.number("since", minute(now) - HOUR), row -> row.number("number"))
                .orElse(0L);
    }

    private static long minute(long micros) {
        return micros / 60_000_000;
    }
}
