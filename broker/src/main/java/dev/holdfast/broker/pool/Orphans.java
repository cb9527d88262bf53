package dev.holdfast.broker.pool;

import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.Host;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.BadRows;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up after brokers that are gone: ends their reviewers' processes, revokes the tokens and frees what they held.
 */
public final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final PoolReviewers reviewers;
    private final Reviews reviews;
    private final Host here;
    private final RemoteTermination termination;
    private final BadRows bad = new BadRows(LOG, "clean up");

    public Orphans(PoolReviewers reviewers, Reviews reviews, Host here, RemoteTermination termination) {
        this.reviewers = reviewers;
        this.reviews = reviews;
        this.here = here;
        this.termination = termination;
    }

    /**
     * Call this at startup, before the broker answers calls.
     *
     * @param alone no other broker can be using this store, so every reviewer in it belongs to an earlier broker
     */
    public void cleanUpAtStart(boolean alone) {
        cleanUp(alone ? reviewers.live() : left());
    }

    /** The orphans on this machine, where their broker's process can be checked. */
    private List<PoolReviewer> left() {
        return reviewers.live().stream()
                .filter(reviewer -> isHere(reviewer) && !lives(reviewer.host()))
                .toList();
    }

    /**
     * Call this every few seconds. Cleans up the reviewers of brokers that are gone from this machine, and of brokers
     * elsewhere that have not renewed the claim on their own identity.
     *
     * @param steady whether this broker has been up long enough to judge that others are dead
     */
    public void turn(boolean steady) {
        cleanUp(left());
        if (steady) {
            cleanUp(reviewers.ofDeadBrokers());
        }
        reviewers.endedButHolding().forEach(ended -> bad.attempt(ended, () -> reclaim(ended)));
    }

    private boolean reclaim(String ended) {
        int held = reviews.reclaims().reclaimFrom(ended, "reviewer_process_exit");
        if (held > 0) {
            LOG.info("{} has ended; {} reviews that it still held are pending again", ended, held);
        }
        return held > 0;
    }

    private void cleanUp(List<PoolReviewer> orphans) {
        orphans.forEach(orphan -> bad.attempt(orphan.id(), () -> cleanUp(orphan)));
        if (!orphans.isEmpty()) {
            reviews.reserved().offerAbandoned();
        }
    }

    private boolean cleanUp(PoolReviewer orphan) {
        reviewers.terminated(orphan.id(), "broker_gone", null, null);
        int held = reviews.reclaims().reclaimFrom(orphan.id(), "stale_session");
        LOG.info("{} belonged to a broker that is gone; {} of its reviews are pending again", orphan.id(), held);
        if (isHere(orphan) && !ended(orphan)) {
            LOG.warn("not all processes of {} could be stopped; look for those with its id", orphan.id());
        }
        return true;
    }

    private boolean ended(PoolReviewer orphan) {
        boolean beyond = termination.end(orphan.id(), Duration.ZERO);
        return ProcessTree.orphaned(orphan.process(), orphan.id()).end(Duration.ZERO) && beyond;
    }

    private boolean isHere(PoolReviewer reviewer) {
        return reviewer.host().machine().equals(here.machine());
    }

    private static boolean lives(Host host) {
        return ProcessTree.handle(host.broker()).filter(ProcessHandle::isAlive).isPresent();
    }
}
