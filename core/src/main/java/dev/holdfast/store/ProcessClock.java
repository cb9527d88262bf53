package dev.holdfast.store;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The lease clock of a single process. It starts at the wall clock or at the latest time found in the store, whichever is
 * later, and runs by {@code nanoTime}; it never goes backwards.
 *
 * <p>While the machine sleeps, {@code nanoTime} stands still, and that is right for leases: everybody who holds something
 * here sleeps as well. But then it is later for people than for this clock, so that it has to be set forward; whoever
 * does that lengthens all leases by as much in the same step, and none runs out by it. A wall clock that is ahead of this
 * one is believed at once as far as the machine itself has counted that it slept, and otherwise (it was set, or the
 * machine does not count) when it has stayed ahead for a minute: one that is wrong after waking is mostly put right
 * sooner.
 */
final class ProcessClock implements LeaseClock {
    private static final long NOTICEABLE = Duration.ofSeconds(2).toNanos() / 1_000;
    private static final long SURE_AFTER = Duration.ofMinutes(1).toNanos();

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final LongSupplier bootTime;
    private final long zero;
    private final AtomicLong start;

    // of the writer alone, as are behind() and setForward()
    private long sleptBefore;
    private boolean doubted;
    private long doubtedSince;
    private long leastAhead;

    /** @param bootTime as {@code nanoTime}, but running on while the machine sleeps; the same where nobody counts that */
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

    /** How long the machine has slept, in microseconds, counted from whenever. */
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
