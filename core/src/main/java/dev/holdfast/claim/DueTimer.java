package dev.holdfast.claim;

import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes when the next thing that was put off comes due, and makes it ready. */
final class DueTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DueTimer.class);
    /** Another broker may put something off without this one hearing of it. */
    private static final Duration LOOK_AT_LEAST_EVERY = Duration.ofSeconds(2);

    private final Store store;
    private final Supply supply;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private final Thread thread;
    private boolean lookAgain;
    private boolean closed;

    DueTimer(Store store, Supply supply) {
        this.store = store;
        this.supply = supply;
        thread = Thread.ofVirtual().name("holdfast-due").start(this::run);
    }

    /** Something was put off: it may be the next. */
    void look() {
        lock.lock();
        try {
            lookAgain = true;
            sooner.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (pause(untilNextDue())) {}
    }

    private long untilNextDue() {
        try {
            return store.write(transaction -> {
                long now = transaction.now();
                supply.makeDue(transaction, now);
                Optional<Long> next = ResourceTable.nextDue(transaction);
                long most = LOOK_AT_LEAST_EVERY.toNanos();
                return next.isEmpty() ? most : Math.min(most, Math.max(1, next.get() - now) * 1_000);
            });
        } catch (StoreException e) {
            LOG.warn("cannot look for what comes due: {}", e.getMessage());
            return LOOK_AT_LEAST_EVERY.toNanos();
        }
    }

    private boolean pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !lookAgain && !closed) {
                left = sooner.awaitNanos(left);
            }
            lookAgain = false;
            return !closed;
        } catch (InterruptedException _) {
            return false;
        } finally {
            lock.unlock();
        }
    }

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
