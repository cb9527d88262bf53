package dev.holdfast.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Wake-ups inside this process, raised after commit. A signal wakes one waiter: of those that want it, the one that has
 * waited longest.
 *
 * <p>To miss none, call {@link #look} on a topic <em>before</em> reading the data, and pass the result to {@link
 * #enlist}; if anything was raised in between, the waiter is woken at once. Only a grant consumes a wake-up: a waiter
 * that was woken and got nothing passes it on ({@link Waiter#leave}).
 */
public final class Signals implements AutoCloseable {
    private static final int STRIPES = 1 << 12;

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    /**
     * Topics share versions by hash: at worst somebody looks once more than necessary, and no memory is kept per topic.
     */
    private final AtomicLongArray versions = new AtomicLongArray(STRIPES);

    private volatile boolean closed;

    /** A topic, and its version when it was last looked at. */
    public record Seen(String topic, long version) {}

    /** The topic's version; read it before reading the data. */
    public Seen look(String topic) {
        return new Seen(topic, version(topic));
    }

    private long version(String topic) {
        return versions.get(stripe(topic));
    }

    /** Signals a change on this topic; wakes the first waiter that wants it. */
    public void raise(String topic, Object what) {
        versions.incrementAndGet(stripe(topic));
        wakeFirst(topic, what);
    }

    /** Waits in line on these topics; if one has changed since it was looked at, the waiter is awake already. */
    public Waiter enlist(Object attempt, Predicate<Object> wants, Seen... seen) {
        Waiter waiter = new Waiter(attempt, wants);
        for (Seen topic : seen) {
            waiter.topics.add(topic.topic());
            line(topic.topic(), line -> line.waiters.add(waiter));
        }
        // after joining the line, so that anything raised from now on finds the waiter there
        for (Seen topic : seen) {
            if (version(topic.topic()) != topic.version() || closed) {
                waiter.become(State.AWAKE, null);
            }
        }
        return waiter;
    }

    private void line(String topic, Consumer<Topic> action) {
        while (true) {
            Topic line = topics.computeIfAbsent(topic, _ -> new Topic());
            synchronized (line) {
                if (!line.retired) {
                    action.accept(line);
                    return;
                }
            }
        }
    }

    /**
     * Takes the first waiter that wants this out of the line, to hand it the resource directly; then deliver it or put
     * the waiter back.
     */
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

    /** Whether any waiter on this topic wants this. */
    public boolean wanted(String topic, Object what) {
        Topic line = topics.get(topic);
        if (line == null) {
            return false;
        }
        synchronized (line) {
            return line.waiters.stream().anyMatch(waiter -> waiter.wants.test(what));
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
                    if (waiter.become(next, what)) {
                        line.retireIfEmpty(topic);
                        return Optional.of(waiter);
                    } // it was woken on another topic: try the next one
                }
            }
            line.retireIfEmpty(topic);
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

    /** A waiter in line. Always call {@link #leave} in the end. */
    public final class Waiter {
        private final List<String> topics = new ArrayList<>(2);
        private final Object attempt;
        private final Predicate<Object> wants;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private State state = State.WAITING;
        private @Nullable Object wokenBy;
        private @Nullable Object delivered;

        private Waiter(Object attempt, Predicate<Object> wants) {
            this.attempt = attempt;
            this.wants = wants;
        }

        /** What this waiter asked for. */
        public Object attempt() {
            return attempt;
        }

        /**
         * Waits until woken, handed something, or the deadline (by {@code nanoTime}) has passed. Returns true if it is
         * worth looking again.
         *
         * <p>Giving up and being taken exclude each other: a waiter that was taken waits for the outcome, however late,
         * and one that has given up is neither taken nor woken any more.
         */
        public boolean await(long untilNanos) throws InterruptedException {
            lock.lock();
            try {
                while (state == State.WAITING || state == State.TAKEN) {
                    long left = untilNanos - System.nanoTime();
                    if (state == State.TAKEN) {
                        changed.awaitUninterruptibly(); // a commit is under way that may deliver the resource
                    } else if (left <= 0) {
                        state = State.GONE;
                    } else {
                        awaitChange(left);
                    }
                }
                return state != State.GONE;
            } finally {
                lock.unlock();
            }
        }

        @SuppressWarnings("WaitNotInLoop") // the caller loops
        private void awaitChange(long nanos) throws InterruptedException {
            try {
                changed.await(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                if (state == State.WAITING) {
                    state = State.GONE;
                    throw e;
                }
                Thread.currentThread().interrupt(); // it was woken or taken first: that counts
            }
        }

        /** What was handed over, if anything. */
        public Optional<Object> delivered() {
            lock.lock();
            try {
                return Optional.ofNullable(delivered);
            } finally {
                lock.unlock();
            }
        }

        /** Hands something over to a waiter that was taken. */
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

        /** The handover failed; the waiter looks for itself. */
        public void putBack() {
            lock.lock();
            try {
                state = State.AWAKE;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Leaves the line. A wake-up that was received but not used goes to the next waiter. */
        public void leave(boolean used) {
            for (String topic : topics) {
                Topic line = Signals.this.topics.get(topic);
                if (line != null) {
                    synchronized (line) {
                        line.waiters.remove(this);
                        line.retireIfEmpty(topic);
                    }
                }
            }
            @Nullable Object unused;
            lock.lock();
            try {
                unused = used ? null : wokenBy;
                state = State.GONE;
            } finally {
                lock.unlock();
            }
            if (unused != null) {
                for (String topic : topics) {
                    wakeFirst(topic, unused);
                }
            }
        }

        private boolean become(State next, @Nullable Object what) {
            lock.lock();
            try {
                if (state != State.WAITING) {
                    return false;
                }
                state = next;
                wokenBy = next == State.AWAKE ? what : null;
                changed.signalAll();
                return true;
            } finally {
                lock.unlock();
            }
        }
    }
}
