package dev.holdfast.review.queue;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims reviews that were held too long in one claim. Heartbeats renew a lease without limit, so a holder that keeps
 * beating and never judges would otherwise keep its review for ever.
 */
public record OverdueReviews(ReviewChanges changes, Claims claims, ReviewReclaims reclaims) {
    /** The reason given in events and to the holder. */
    public static final String REASON = "overdue";

    private static final Logger LOG = LoggerFactory.getLogger(OverdueReviews.class);

    /**
     * Call this regularly.
     *
     * @param longest how long a review may be held in one claim
     * @return what was reclaimed
     */
    public List<Resource> reclaim(Duration longest) {
        Instant before = ReviewTable.instant(changes.store().read(transaction -> transaction.now()))
                .minus(longest);
        List<Resource> taken = new ArrayList<>();
        for (Claim held : claims.held(Kind.REVIEW, null, null)) {
            if (!held.claimedAt().isAfter(before) && reclaims.reclaim(held, REASON)) {
                LOG.info("{} had held {} since {} without a verdict", held.holder(), held.resource(), held.claimedAt());
                taken.add(held.resource());
            }
        }
        return taken;
    }
}
