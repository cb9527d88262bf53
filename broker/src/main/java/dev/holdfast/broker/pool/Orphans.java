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

/** Reviewers whose broker is gone: their processes are ended, their tokens die, and what they held is free again. */
public final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final PoolReviewers reviewers;
    private final Reviews reviews;
    private final Host here;
    private final RemoteTermination termination;
    private final BadRows bad = new BadRows(LOG, "bury");

    public Orphans(PoolReviewers reviewers, Reviews reviews, Host here, RemoteTermination termination) {
        this.reviewers = reviewers;
        this.reviews = reviews;
        this.here = here;
        this.termination = termination;
    }

    /**
     * At the start, before anybody is answered.
     *
     * @param alone nobody else can be on this store, so that whoever is in it was of a broker before
     */
    public void buryAtStart(boolean alone) {
        bury(alone ? reviewers.live() : left());
    }

    /** On this machine, where processes can be looked for. */
    private List<PoolReviewer> left() {
        return reviewers.live().stream()
                .filter(reviewer -> isHere(reviewer) && !lives(reviewer.host()))
                .toList();
    }

    /**
     * Every few seconds: those of brokers that are gone from this machine, and those of brokers elsewhere that have not
     * renewed their claim on their own identity.
     *
     * @param steady whether this broker has been alive for so long that it may judge who else is not
     */
    public void turn(boolean steady) {
        bury(left());
        if (steady) {
            bury(reviewers.ofDeadBrokers());
        }
        reviewers.endedButHolding().forEach(ended -> bad.attempt(ended, () -> takeBack(ended)));
    }

    private boolean takeBack(String ended) {
        int held = reviews.reclaims().reclaimFrom(ended, "reviewer_process_exit");
        if (held > 0) {
            LOG.info("{} has ended; {} reviews that it still held are pending again", ended, held);
        }
        return held > 0;
    }

    private void bury(List<PoolReviewer> orphans) {
        orphans.forEach(orphan -> bad.attempt(orphan.id(), () -> bury(orphan)));
        if (!orphans.isEmpty()) {
            reviews.next().offerAbandonedReservations();
        }
    }

    private boolean bury(PoolReviewer orphan) {
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
