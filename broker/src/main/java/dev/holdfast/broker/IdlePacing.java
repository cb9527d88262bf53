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
    private @Nullable Moment asked;
    private boolean quiet;

    private record Moment(long changes, long at) {
        /** Whether nothing has happened since then, and less than this much time has passed. */
        boolean isQuietSince(@Nullable Moment then, Duration most) {
            return then != null && then.changes == changes && at - then.at < most.toNanos();
        }
    }

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

    /** The answer is shared by all chores: whatever can time out began with an event. */
    private synchronized boolean quiet(Moment now) {
        if (!now.isQuietSince(asked, quiet ? LONGEST : USUAL)) {
            quiet = !runningOut.getAsBoolean();
            asked = now;
        }
        return quiet;
    }

    private Moment now() {
        return new Moment(changes.getAsLong(), nanoTime.getAsLong());
    }
}
