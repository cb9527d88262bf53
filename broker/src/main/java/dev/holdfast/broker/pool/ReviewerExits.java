package dev.holdfast.broker.pool;

import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.StoreException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the end of this broker's reviewers: invalidates the token and makes the reviews it held pending again.
 * Retries if the store is unavailable.
 */
final class ReviewerExits {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerExits.class);

    private final PoolReviewers reviewers;
    private final Reviews reviews;
    private final Map<String, Exit> open = new ConcurrentHashMap<>();

    record Exit(
            String reason, @Nullable Integer code, @Nullable String lastOutput) {
        static Exit because(String reason) {
            return new Exit(reason, null, null);
        }
    }

    ReviewerExits(PoolReviewers reviewers, Reviews reviews) {
        this.reviewers = reviewers;
        this.reviews = reviews;
    }

    void record(String id, Exit exit) {
        try {
            reviewers.terminated(id, exit.reason(), exit.code(), exit.lastOutput());
            int held = reviews.reclaims().reclaimFrom(id, "reviewer_process_exit");
            if (held > 0) {
                LOG.info("{} had {} reviews, which are pending again", id, held);
            }
            reviews.reserved().offerAbandoned();
            open.remove(id);
        } catch (StoreException e) {
            LOG.warn("cannot record the exit of {} now: {}", id, e.getMessage());
            open.put(id, exit);
        }
    }

    /** Retries the exits that could not be recorded. */
    void retry() {
        open.forEach(this::record);
    }
}
