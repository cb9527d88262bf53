package dev.holdfast.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Slots for a store's connections, taken before asking the pool for one, so that a caller that merely waits for others
 * does not think that the database is broken. First come, first served, and a caller keeps its position for later
 * statements: calls get finished, not just started.
 */
final class ConnectionSlots {
    /** Enough for everybody who may be waiting for something to be woken at the same time. */
    private static final int MAX_WAITING = 20_000;

    private final Map<Share, Line> lines = new EnumMap<>(Share.class);
    private final Duration patience;

    /** @param patience how long anybody waits for a slot */
    ConnectionSlots(Map<Share, Integer> slots, Duration patience) {
        slots.forEach((share, max) -> lines.put(share, new Line(max)));
        this.patience = patience;
    }

    /** A slot; close it to give it back. */
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Waits for a slot for the current turn.
     *
     * @throws BusyException if none was free in time
     */
    Place take() {
        Turn turn = Turn.current();
        Line line = line(turn.share());
        line.take(turn);
        return line::giveBack;
    }

    /** How many callers wait. */
    int waiting(Share share) {
        return line(share).waiting();
    }

    private Line line(Share share) {
        Line line = lines.get(share);
        if (line == null) {
            throw new IllegalStateException("no places for " + share);
        }
        return line;
    }

    private static final class Waiter {
        private final long since;
        private final long number;
        private final Condition called;
        private boolean hasPlace;

        Waiter(long since, long number, Condition called) {
            this.since = since;
            this.number = number;
            this.called = called;
        }

        int compareTo(Waiter other) {
            long earlier = since == other.since ? number - other.number : since - other.since;
            return Long.signum(earlier);
        }
    }

    private final class Line {
        private final ReentrantLock lock = new ReentrantLock();
        private final PriorityQueue<Waiter> waiting = new PriorityQueue<>(Waiter::compareTo);
        private final int slots;
        private int free;
        private long came;

        Line(int slots) {
            this.slots = slots;
            free = slots;
        }

        void take(Turn turn) {
            lock.lock();
            try {
                if (free > 0) { // nobody is waiting then
                    free--;
                    return;
                }
                if (waiting.size() >= MAX_WAITING) {
                    throw full("");
                }
                Waiter waiter = new Waiter(turn.since(), came++, lock.newCondition());
                waiting.add(waiter);
                await(waiter);
            } finally {
                lock.unlock();
            }
        }

        private void await(Waiter waiter) {
            try {
                long left = patience.toNanos();
                while (!waiter.hasPlace) {
                    if (left <= 0) {
                        waiting.remove(waiter);
                        throw full(", and this one has waited " + patience.toSeconds() + " s");
                    }
                    left = waiter.called.awaitNanos(left);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                if (!waiter.hasPlace) {
                    waiting.remove(waiter);
                    throw new BusyException("the broker stopped waiting for a connection; nothing was changed");
                }
            }
        }

        /** The database may be fine: this broker has too much to do. */
        private BusyException full(String waited) {
            return new BusyException(
                    "this broker is overloaded: " + (waiting.size() + 1) + " calls are waiting for its " + slots
                            + " connections to the database" + waited + "; try again in a moment");
        }

        void giveBack() {
            lock.lock();
            try {
                Waiter next = waiting.poll();
                if (next == null) {
                    free++;
                } else {
                    next.hasPlace = true;
                    next.called.signal();
                }
            } finally {
                lock.unlock();
            }
        }

        int waiting() {
            lock.lock();
            try {
                return waiting.size();
            } finally {
                lock.unlock();
            }
        }
    }
}
