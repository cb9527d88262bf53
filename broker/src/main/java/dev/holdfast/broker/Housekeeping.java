package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.hook.HookDoor;
import dev.holdfast.broker.metrics.FinalizationMeters;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.Orphans;
import dev.holdfast.broker.task.TaskCare;
import dev.holdfast.claim.Retention;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.Reviews;
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

    private final Chores chores = new Chores();
    private final Sweeper sweeper;
    private final Config.Kept kept;
    private final Meters meters;

    Housekeeping(Sweeper sweeper, Config.Kept kept, Meters meters) {
        this.sweeper = sweeper;
        this.kept = kept;
        this.meters = meters;
    }

    void claims(Retention retention, Reviews reviews) {
        chores.every(SWEEP, Duration.ZERO, () -> {
            sweeper.turn().forEach(meters::swept);
            reviews.ownership().turn(sweeper.identity()).forEach(review -> meters.reclaimed(review, "stale_session"));
        });
        drop("old rows", retention::drop);
    }

    void reviews(Reviews reviews) {
        kept.reviews()
                .ifPresent(age -> drop("old reviews", () -> reviews.retention().drop(age)));
        chores.every(SWEEP, SWEEP, reviews.next()::offerWhatNobodyComesBackFor);
        chores.every(SWEEP, SWEEP, reviews.statistics()::catchUp);
    }

    void hooks(HookDoor hooks) {
        hooks.turn(); // before anybody can take what a call that has run all the while still needs
        chores.every(SWEEP, SWEEP, hooks::turn);
    }

    void orphans(Orphans orphans) {
        chores.every(SWEEP, SWEEP, () -> orphans.turn(sweeper.steady()));
    }

    void tasks(TaskCare care) {
        chores.every(SECOND, SECOND, new FinalizationMeters(meters.registry(), care.tasks())::catchUp);
        chores.every(SECOND, SECOND, care.followUps()::turn);
        chores.every(SECOND, SECOND, () -> care.settle(chores::ended));
        chores.every(SWEEP, Duration.ZERO, care::sweep);
        drop("old attempts", () -> care.tasks().dropAttempts(kept.attempts()));
    }

    private void drop(String what, IntSupplier some) {
        chores.every(DROP, DROP, () -> {
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
        chores.close();
    }
}
