package dev.holdfast.store;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The lease clock of a single process. It starts at the wall-clock time or at the latest time found in the store,
 * whichever is later, and advances with {@code nanoTime}; it never goes backwards.
 *
 * <p>While the machine sleeps, {@code nanoTime} stands still. That is right for leases, because every holder here
 * sleeps as well, but the clock then lags behind real time and must be set forward. Whoever does that extends all
 * leases by the same amount in the same step, so that none expires because of it. If the wall clock is ahead of this
 * one, it is trusted at once for the time that the machine itself reports to have slept; any further lead (the clock
 * was set, or the machine reports no sleep) is trusted after a minute, because a clock that is wrong after waking is
 * usually corrected sooner.
 */
final class ProcessClock implements LeaseClock {
    private static final long NOTICEABLE = Duration.ofSeconds(2).toNanos() / 1_000;
    private static final long SURE_AFTER = Duration.ofMinutes(1).toNanos();

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final LongSupplier bootTime;
    private final long zero;
    private final AtomicLong start;

    // used only by the writer, as are behind() and setForward()
    private long sleptBefore;
    private boolean doubted;
    private long doubtedSince;
    private long leastAhead;

    /**
     * @param bootTime like {@code nanoTime}, but also advances while the machine sleeps; the same as {@code nanoTime}
     *     where that is not available
     */
    ProcessClock(Clock wall, LongSupplier nanoTime, LongSupplier bootTime, long latestStoredMicros) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.bootTime = bootTime;
        start = new AtomicLong(Math.max(wallMicros(), latestStoredMicros));
        zero = nanoTime.getAsLong();
        sleptBefore = slept();
    }

    private long wallMicros() {
        return LeaseClock.micros(wall.instant());
    }

    /** How long the machine has slept, in microseconds, from an arbitrary origin. */
    private long slept() {
        return (bootTime.getAsLong() - nanoTime.getAsLong()) / 1_000;
    }

    private long now() {
        return start.get() + (nanoTime.getAsLong() - zero) / 1_000;
    }

    @Override
    public Pending<Long> micros(Transaction transaction) {
        long now = now();
        return () -> now;
    }

    @Override
    public long behind() {
        long ahead = wallMicros() - now();
        if (ahead < NOTICEABLE) {
            doubted = false;
            return 0;
        }
        long slept = Math.min(ahead, slept() - sleptBefore);
        if (slept >= NOTICEABLE) {
            return slept;
        }
        long nanos = nanoTime.getAsLong();
        if (!doubted) {
            doubted = true;
            doubtedSince = nanos;
            leastAhead = ahead;
        }
        leastAhead = Math.min(leastAhead, ahead);
        return nanos - doubtedSince >= SURE_AFTER ? leastAhead : 0;
    }

    @Override
    public void setForward(long micros) {
        start.addAndGet(micros);
        sleptBefore = slept();
        doubted = false;
    }
}
