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
 * What is written down when a reviewer of ours has ended: its token is worth nothing from then on, and what it held is
 * pending. If the store is away, it is tried again.
 */
final class ReviewerExits {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerExits.class);

    private final PoolReviewers reviewers;
    private final Reviews reviews;
    private final Map<String, Exit> open = new ConcurrentHashMap<>();

    /** How it ended. */
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

    void bury(String id, Exit exit) {
        try {
            reviewers.terminated(id, exit.reason(), exit.code(), exit.lastOutput());
            int held = reviews.reclaims().reclaimFrom(id, "reviewer_process_exit");
            if (held > 0) {
                LOG.info("{} had {} reviews, which are pending again", id, held);
            }
            reviews.next().offerAbandonedReservations();
            open.remove(id);
        } catch (StoreException e) {
            LOG.warn("cannot record the exit of {} now: {}", id, e.getMessage());
            open.put(id, exit);
        }
    }

    /** Those that could not be written down before. */
    void again() {
        open.forEach(this::bury);
    }
}
