package dev.holdfast.event;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Wake-ups inside this process, raised after commit. One wake-up wakes one waiter, the one that has waited longest
 * among those who want it.
 *
 * <p>So that none is missed: read a topic's {@link #version} <em>before</em> looking at the data, and hand it to {@link
 * #enlist}; if anything was raised in between, the waiter is woken at once. A wake-up is used up only by a grant: a
 * waiter that was woken and did not get anything passes it on ({@link Waiter#leave}).
 */
public final class Signals implements AutoCloseable {
    private static final int STRIPES = 1 << 12;

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    /** Topics share versions by hash: at worst somebody looks once more than needed, and no memory is kept per topic. */
    private final AtomicLongArray versions = new AtomicLongArray(STRIPES);

    private volatile boolean closed;

    public long version(String topic) {
        return versions.get(stripe(topic));
    }

    /** Something on this topic changed; wakes the first waiter that wants it. */
    public void raise(String topic, Object what) {
        versions.incrementAndGet(stripe(topic));
        wakeFirst(topic, what);
    }

    /** Waits in line on a topic, unless it has moved on since this version: then the waiter is awake already. */
    public Waiter enlist(String topic, long seenVersion, Object wish, Predicate<Object> wants) {
        Waiter waiter = new Waiter(topic, wish, wants);
        while (true) {
            Topic line = topics.computeIfAbsent(topic, _ -> new Topic());
            synchronized (line) {
                if (line.retired) {
                    continue;
                }
                if (version(topic) != seenVersion || closed) {
                    line.retireIfEmpty(topic);
                    waiter.state = State.AWAKE;
                } else {
                    line.waiters.add(waiter);
                }
                return waiter;
            }
        }
    }

    /** Takes the first waiter that wants this out of the line, to hand it the thing itself; deliver or put back. */
    public Optional<Waiter> take(String topic, Object what) {
        return first(topic, what, State.TAKEN);
    }

    /** How many wait on this topic. */
    public int waiting(String topic) {
        Topic line = topics.get(topic);
        if (line == null) {
            return 0;
        }
        synchronized (line) {
            return line.waiters.size();
        }
    }

    /** Wakes everybody, and lets nobody wait any more. */
    @Override
    public void close() {
        closed = true;
        topics.forEach((topic, line) -> {
            while (first(topic, null, State.AWAKE).isPresent()) {
                // each is woken once
            }
        });
    }

    public boolean closed() {
        return closed;
    }

    private void wakeFirst(String topic, Object what) {
        first(topic, what, State.AWAKE);
    }

    private Optional<Waiter> first(String topic, @Nullable Object what, State next) {
        Topic line = topics.get(topic);
        if (line == null) {
            return Optional.empty();
        }
        synchronized (line) {
            Iterator<Waiter> waiters = line.waiters.iterator();
            while (waiters.hasNext()) {
                Waiter waiter = waiters.next();
                if (what == null || waiter.wants.test(what)) {
                    waiters.remove();
                    line.retireIfEmpty(topic);
                    waiter.become(next, what);
                    return Optional.of(waiter);
                }
            }
            return Optional.empty();
        }
    }

    private static int stripe(String topic) {
        int hash = topic.hashCode() * 0x9E3779B1;
        return (hash >>> 16) & (STRIPES - 1);
    }

    private enum State {
        WAITING,
        AWAKE,
        TAKEN,
        DELIVERED,
        GONE
    }

    private final class Topic {
        private final Deque<Waiter> waiters = new ArrayDeque<>();
        private boolean retired;

        void retireIfEmpty(String topic) {
            if (waiters.isEmpty()) {
                retired = true;
                topics.remove(topic, this);
            }
        }
    }

    /** Somebody who waits in line. Always {@link #leave} in the end. */
    public final class Waiter {
        private final String topic;
        private final Object wish;
        private final Predicate<Object> wants;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private State state = State.WAITING;
        private @Nullable Object wokenBy;
        private @Nullable Object delivered;

        private Waiter(String topic, Object wish, Predicate<Object> wants) {
            this.topic = topic;
            this.wish = wish;
            this.wants = wants;
        }

        /** What this waiter asked for. */
        public Object wish() {
            return wish;
        }

        /** Waits until woken, handed something, or the time (of {@code nanoTime}) has come. True: it is worth a look. */
        public boolean await(long untilNanos) throws InterruptedException {
            lock.lock();
            try {
                while (state == State.WAITING || state == State.TAKEN) {
                    long left = untilNanos - System.nanoTime();
                    if (state == State.TAKEN) {
                        changed.awaitUninterruptibly(); // a commit is under way that may bring the thing itself
                    } else if (left <= 0) {
                        return false;
                    } else {
                        changed.await(left, TimeUnit.NANOSECONDS);
                    }
                }
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** The thing itself, when it was handed over. */
        public Optional<Object> delivered() {
            lock.lock();
            try {
                return Optional.ofNullable(delivered);
            } finally {
                lock.unlock();
            }
        }

        /** Hands the thing over to a waiter that was taken. */
        public void deliver(Object thing) {
            lock.lock();
            try {
                delivered = thing;
                state = State.DELIVERED;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** The hand-over did not come to be: the waiter looks for itself. */
        public void putBack() {
            become(State.AWAKE, null);
        }

        /** Leaves the line. A wake-up that came and was not used goes to the next one. */
        public void leave(boolean used) {
            Topic line = topics.get(topic);
            if (line != null) {
                synchronized (line) {
                    line.waiters.remove(this);
                    line.retireIfEmpty(topic);
                }
            }
            Object unused;
            lock.lock();
            try {
                unused = used ? null : wokenBy;
                state = State.GONE;
            } finally {
                lock.unlock();
            }
            if (unused != null) {
                wakeFirst(topic, unused);
            }
        }

        private void become(State next, @Nullable Object what) {
            lock.lock();
            try {
                state = next;
                wokenBy = next == State.AWAKE ? what : null;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
