package dev.holdfast.event;

import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the events of all brokers on the store, in order and without holes, and tells whoever listens.
 *
 * <p>On PostgreSQL a lower id may be committed after a higher one: the tail stops before the first id that is missing,
 * until it appears or the transaction that could bring it is certainly gone.
 */
public final class EventTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final int AT_ONCE = 1_000;

    private final Store store;
    private final EventOrder order;
    private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Thread thread;
    private long told;
    private boolean nudged;
    private boolean closed;

    public static EventTail start(Store store) {
        return new EventTail(store);
    }

    private EventTail(Store store) {
        this.store = store;
        order = EventOrder.of(store);
        told = order.settled();
        thread = Thread.ofVirtual().name("holdfast-tail").start(this::follow);
    }

    /** Hears of every event that is committed from now on, by whichever broker. */
    public void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    public void unlisten(Consumer<Event> listener) {
        listeners.remove(listener);
    }

    /** There may be news: look now rather than at the next poll. */
    public void nudge() {
        lock.lock();
        try {
            nudged = true;
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Events after this id, oldest first, with no hole that could still be filled. */
    public List<Event> after(long id, int most) {
        long until = order.settled();
        return store.read(transaction -> Events.after(transaction, id, until, most));
    }

    /** The same for one resource. */
    public List<Event> after(long id, String resource, int most) {
        long until = order.settled();
        return store.read(transaction -> Events.ofResource(transaction, resource, id, until, most));
    }

    private void follow() {
        while (pause()) {
            try {
                tellNews();
            } catch (StoreException e) {
                LOG.warn("cannot follow the events: {}", e.getMessage());
            }
        }
    }

    private void tellNews() {
        long until = order.settled();
        while (told < until) {
            long from = told;
            List<Event> events = store.read(transaction -> Events.after(transaction, from, until, AT_ONCE));
            events.forEach(event -> listeners.forEach(listener -> listener.accept(event)));
            told = events.size() < AT_ONCE ? until : events.getLast().id();
        }
    }

    private boolean pause() {
        lock.lock();
        try {
            long left = POLL.toNanos();
            while (left > 0 && !nudged && !closed) {
                left = news.awaitNanos(left);
            }
            nudged = false;
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
            news.signal();
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
