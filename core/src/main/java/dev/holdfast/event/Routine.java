package dev.holdfast.event;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Does something again and again on a thread of its own: when its time has come, or sooner when it is nudged. */
public final class Routine implements AutoCloseable {
    private final LongSupplier turn;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private final Thread thread;
    private boolean nudged;
    private boolean closed;

    /**
     * A routine that has yet to be started.
     *
     * @param turn does it once, and returns the nanoseconds until it is to be done again; throws nothing
     */
    public Routine(String name, LongSupplier turn) {
        this.turn = turn;
        thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Another turn is due now. */
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
        while (pause(turn.getAsLong())) {}
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

    /** Lets the turn that is under way finish. */
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
