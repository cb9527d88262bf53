package dev.holdfast.broker;

import dev.holdfast.agent.SessionRetention;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.hook.HookEndpoints;
import dev.holdfast.broker.metrics.FinalizationMeters;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.Orphans;
import dev.holdfast.broker.task.BrokerTasks;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.QueueSamples;
import dev.holdfast.claim.Retention;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.OverdueReviews;
import dev.holdfast.store.Share;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a broker does regularly on its own, and how often. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final Duration DROP = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String SWEEPING = "reclaiming expired claims";

    /**
     * Renews the broker's own identity. Separate, so that nothing else can delay it: a broker that is late is taken for
     * dead.
     */
    private final BackgroundJobs identity =
            new BackgroundJobs("holdfast-identity", Duration.ofSeconds(10), Share.IDENTITY);

    private final BackgroundJobs chores = new BackgroundJobs("holdfast-chores", LONG, Share.CHORES);
    private final Sweeper sweeper;
    private final Config.Kept kept;
    private final Meters meters;
    private final IdlePacing rest;

    Housekeeping(Sweeper sweeper, Config.Kept kept, Meters meters, IdlePacing rest) {
        this.sweeper = sweeper;
        this.kept = kept;
        this.meters = meters;
        this.rest = rest;
    }

    /**
     * @param pool whether this broker runs reviewers. If so, reviews whose holders went down with it are reclaimed at
     *     startup. If not, every holder of a review came from elsewhere and may still be alive, so only the lease
     *     decides.
     */
    void claims(Retention retention, Reviews reviews, boolean pool) {
        Runnable sweep = chores.whenAsked(SWEEPING, () -> {
            sweeper.sweep().forEach(meters::swept);
            if (pool) {
                reviews.ownership()
                        .turn(sweeper.identity())
                        .forEach(review -> meters.reclaimed(review, "stale_session"));
            }
        });
        identity.every(SWEEP, Duration.ZERO, "renewing the broker's identity", () -> {
            if (sweeper.renew() && !rest.skips(SWEEPING)) {
                sweep.run();
            }
        });
        drop("old rows", retention::drop);
    }

    /** @param longestClaim how long one claim may hold a review */
    void reviews(Reviews reviews, Duration longestClaim) {
        whileThingsHappen(
                SWEEP,
                SWEEP,
                "reviews held for too long",
                () -> reviews.overdue()
                        .reclaim(longestClaim)
                        .forEach(review -> meters.reclaimed(review, OverdueReviews.REASON)));
        kept.reviews()
                .ifPresent(age -> drop("old reviews", () -> reviews.retention().drop(age)));
        whileThingsHappen(SWEEP, SWEEP, "offering reviews again", reviews.reserved()::offerAbandoned);
        whileThingsHappen(SWEEP, SWEEP, "review statistics", reviews.statistics()::catchUp);
    }

    void memory(HeapGrowth garbage) {
        chores.every(SWEEP, SWEEP, "collecting garbage", garbage::turn);
    }

    /** For the dashboard's charts. */
    void samples(QueueSamples samples, Claims claims) {
        chores.every(LONG, SECOND, "measuring the queues", () -> samples.note(claims.depths()));
    }

    void sessions(SessionRetention sessions) {
        drop("sessions that ended long ago", sessions::drop);
    }

    void hooks(HookEndpoints hooks) {
        hooks.turn(); // first of all, before anybody can take what a long-running call still needs
        whileThingsHappen(SWEEP, SWEEP, "sessions and their calls", hooks::turn);
    }

    void orphans(Orphans orphans) {
        whileThingsHappen(SWEEP, SWEEP, "reviewers without a broker", () -> orphans.turn(sweeper.steady()));
    }

    void tasks(BrokerTasks care) {
        whileThingsHappen(
                SECOND,
                SECOND,
                "counting finalizations",
                new FinalizationMeters(meters.registry(), care.tasks())::catchUp);
        whileThingsHappen(SECOND, SECOND, "follow-ups of tasks", care.followUps()::turn);
        whileThingsHappen(SECOND, SECOND, "steps of tasks that have ended", () -> care.settle(chores::ended));
        whileThingsHappen(SWEEP, Duration.ZERO, "ending tasks that are due", care::sweep);
        drop("old attempts", () -> care.tasks().dropAttempts(kept.attempts()));
    }

    /** Runs a chore after every pause, or less often while nothing happens. */
    private void whileThingsHappen(Duration pause, Duration first, String name, Runnable chore) {
        chores.every(pause, first, name, () -> rest.willSkip(name), () -> {
            if (!rest.skips(name)) {
                chore.run();
            }
        });
    }

    private void drop(String what, IntSupplier some) {
        chores.every(DROP, DROP, "dropping " + what, () -> {
            long dropped = 0;
            int now;
            do {
                now = some.getAsInt();
                dropped += now;
            } while (now > 0 && !chores.ended());
            if (dropped > 0) {
                LOG.info("dropped {} {}", dropped, what);
            }
        });
    }

    @Override
    public void close() {
        identity.close();
        chores.close();
    }
}
