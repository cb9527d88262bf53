package dev.holdfast.broker;

import dev.holdfast.agent.SessionRetention;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.hook.HookDoor;
import dev.holdfast.broker.metrics.FinalizationMeters;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.Orphans;
import dev.holdfast.broker.task.TaskCare;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.QueueSamples;
import dev.holdfast.claim.Retention;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.OverdueReviews;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a broker looks after without being asked, and how often. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final Duration DROP = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Of the broker's own name. Whatever else goes on or hangs: who is late with it is taken for dead. */
    private final Chores identity = new Chores("holdfast-identity", Duration.ofSeconds(10));

    private final Chores chores = new Chores("holdfast-chores", LONG);
    private final Sweeper sweeper;
    private final Config.Kept kept;
    private final Meters meters;

    Housekeeping(Sweeper sweeper, Config.Kept kept, Meters meters) {
        this.sweeper = sweeper;
        this.kept = kept;
        this.meters = meters;
    }

    /**
     * @param pool whether this broker runs reviewers: then reviews whose holders went down with it are taken back at its
     *     start. Without one, everybody who holds a review came from elsewhere and may still be there; its lease decides.
     */
    void claims(Retention retention, Reviews reviews, boolean pool) {
        Runnable sweep = chores.whenAsked("taking back what has run out", () -> {
            sweeper.sweep().forEach(meters::swept);
            if (pool) {
                reviews.ownership()
                        .turn(sweeper.identity())
                        .forEach(review -> meters.reclaimed(review, "stale_session"));
            }
        });
        identity.every(SWEEP, Duration.ZERO, "renewing the broker's identity", () -> {
            if (sweeper.renew()) {
                sweep.run();
            }
        });
        drop("old rows", retention::drop);
    }

    /** @param longestClaim how long a review may be held in one claim */
    void reviews(Reviews reviews, Duration longestClaim) {
        chores.every(
                SWEEP,
                SWEEP,
                "reviews held for too long",
                () -> reviews.overdue()
                        .takeBack(longestClaim)
                        .forEach(review -> meters.reclaimed(review, OverdueReviews.REASON)));
        kept.reviews()
                .ifPresent(age -> drop("old reviews", () -> reviews.retention().drop(age)));
        chores.every(SWEEP, SWEEP, "offering reviews again", reviews.next()::offerWhatNobodyComesBackFor);
        chores.every(SWEEP, SWEEP, "review statistics", reviews.statistics()::catchUp);
    }

    /** For the charts of the dashboard. */
    void samples(QueueSamples samples, Claims claims) {
        chores.every(LONG, SECOND, "noting how much waits", () -> samples.note(claims.depths()));
    }

    void sessions(SessionRetention sessions) {
        drop("sessions that ended long ago", sessions::drop);
    }

    void hooks(HookDoor hooks) {
        hooks.turn(); // before anybody can take what a call that has run all the while still needs
        chores.every(SWEEP, SWEEP, "sessions and their calls", hooks::turn);
    }

    void orphans(Orphans orphans) {
        chores.every(SWEEP, SWEEP, "reviewers without a broker", () -> orphans.turn(sweeper.steady()));
    }

    void tasks(TaskCare care) {
        chores.every(
                SECOND,
                SECOND,
                "counting finalizations",
                new FinalizationMeters(meters.registry(), care.tasks())::catchUp);
        chores.every(SECOND, SECOND, "what follows tasks", care.followUps()::turn);
        chores.every(SECOND, SECOND, "steps of tasks that have ended", () -> care.settle(chores::ended));
        chores.every(SWEEP, Duration.ZERO, "ending tasks that are due", care::sweep);
        drop("old attempts", () -> care.tasks().dropAttempts(kept.attempts()));
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
