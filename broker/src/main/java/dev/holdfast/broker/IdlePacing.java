package dev.holdfast.broker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets chores skip their turns while nothing happens: no event since the chore was last done, and nothing whose time could
 * run out. So a broker that nobody uses costs next to nothing, and the first event puts everything back to its usual pace.
 */
final class IdlePacing {
    /** However quiet it is, a chore is done this often: not all that concerns one is an event. */
    static final Duration LONGEST = Duration.ofSeconds(15);

    /** How long it is taken for granted that something can run out. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private final LongSupplier changes;
    private final BooleanSupplier runningOut;
    private final LongSupplier nanoTime;
    private final Map<String, Moment> done = new ConcurrentHashMap<>();
    private @Nullable Moment asked;
    private boolean quiet;

    private record Moment(long changes, long at) {
        /** Whether nothing has happened since then, and that is not long ago. */
        boolean isQuietSince(@Nullable Moment then, Duration most) {
            return then != null && then.changes == changes && at - then.at < most.toNanos();
        }
    }

    /**
     * @param changes grows with every event
     * @param runningOut whether anything has a time limit that nobody needs to touch for it to pass: a lease, a second attempt
     */
    IdlePacing(LongSupplier changes, BooleanSupplier runningOut, LongSupplier nanoTime) {
        this.changes = changes;
        this.runningOut = runningOut;
        this.nanoTime = nanoTime;
    }

    /** Whether this chore need not be done now; if it must, it is taken to begin at once. */
    boolean skips(String chore) {
        Moment now = now();
        Moment last = done.get(chore);
        if (now.isQuietSince(last, LONGEST) && quiet(now)) {
            return true;
        }
        done.put(chore, now);
        return false;
    }

    /** Asked once for all chores: whatever has a time limit began with an event. */
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
