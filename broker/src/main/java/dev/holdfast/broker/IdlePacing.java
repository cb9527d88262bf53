package dev.holdfast.broker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets chores skip their turns while nothing happens: no event since the chore's last run, and nothing that could time
 * out. So an unused broker costs next to nothing, and the first event restores the usual pace.
 */
final class IdlePacing {
    /** The longest time between two runs of a chore, however quiet it is: not everything it handles causes an event. */
    static final Duration LONGEST = Duration.ofSeconds(15);

    /** How long to assume that something can still time out before checking again. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private final LongSupplier changes;
    private final BooleanSupplier runningOut;
    private final LongSupplier nanoTime;
    private final Map<String, Moment> done = new ConcurrentHashMap<>();
    private volatile @Nullable Answer answer;

    private record Moment(long changes, long at) {
        /** Whether nothing has happened since then, and less than this much time has passed. */
        boolean isQuietSince(@Nullable Moment then, Duration max) {
            return then != null && then.changes == changes && at - then.at < max.toNanos();
        }
    }

    /** Whether all was quiet, and when somebody looked. */
    private record Answer(Moment at, boolean quiet) {}

    /**
     * @param changes grows with every event
     * @param runningOut whether anything will happen merely because time passes: a lease expires, a retry is due
     */
    IdlePacing(LongSupplier changes, BooleanSupplier runningOut, LongSupplier nanoTime) {
        this.changes = changes;
        this.runningOut = runningOut;
        this.nanoTime = nanoTime;
    }

    /** Whether this chore can be skipped now; if not, counts it as run. */
    boolean skips(String chore) {
        Moment now = now();
        Moment last = done.get(chore);
        if (now.isQuietSince(last, LONGEST) && quiet(now)) {
            return true;
        }
        done.put(chore, now);
        return false;
    }

    /** Whether {@link #skips} would say so without looking into the store; never blocks. */
    boolean willSkip(String chore) {
        Moment now = now();
        return now.isQuietSince(done.get(chore), LONGEST) && Boolean.TRUE.equals(known(now));
    }

    /** The answer is shared by all chores: whatever can time out began with an event. */
    private synchronized boolean quiet(Moment now) {
        Boolean known = known(now);
        if (known == null) {
            known = !runningOut.getAsBoolean();
            answer = new Answer(now, known);
        }
        return known;
    }

    /** Null: somebody must look again. */
    private @Nullable Boolean known(Moment now) {
        Answer last = answer;
        if (last == null || !now.isQuietSince(last.at, last.quiet ? LONGEST : USUAL)) {
            return null;
        }
        return last.quiet;
    }

    private Moment now() {
        return new Moment(changes.getAsLong(), nanoTime.getAsLong());
    }
}
