package dev.holdfast.event;

import dev.holdfast.store.Share;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something repeatedly on its own thread: when it is due, or earlier when nudged. */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(2);

    private final LongSupplier turn;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private final Thread thread;
    private boolean nudged;
    private boolean closed;

    /**
     * A routine that has yet to be started.
     *
     * @param turn does it once, and returns the nanoseconds until the next turn; if it throws, it is retried after a
     *     while
     */
    public PeriodicTask(String name, LongSupplier turn) {
        this.turn = turn;
        thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Makes the next turn due now. */
    public void nudge() {
        lock.lock();
        try {
            nudged = true;
            sooner.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (pause(oneTurn())) {}
    }

    private long oneTurn() {
        try {
            return Share.CHORES.turn().call(turn::getAsLong);
        } catch (RuntimeException e) {
            LOG.error("{} failed; it will be retried", thread.getName(), e); // nobody else would ever do it again
            return AFTER_A_FAILURE.toNanos();
        }
    }

    private boolean pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !nudged && !closed) {
                left = sooner.awaitNanos(left);
            }
            nudged = false;
            return !closed;
        } catch (InterruptedException _) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the current turn to finish. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            sooner.signal();
        } finally {
            lock.unlock();
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
