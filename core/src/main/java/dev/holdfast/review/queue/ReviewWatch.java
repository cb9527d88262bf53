package dev.holdfast.review.queue;

import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits for something to happen to a review, through any broker.
 *
 * <p>No wake-up is lost: a waiter registers before it first looks, and looks again after each wake-up.
 */
public final class ReviewWatch implements Consumer<Event>, AutoCloseable {
    private final EventTail tail;
    private final Map<String, Set<Semaphore>> waiters = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public ReviewWatch(EventTail tail) {
        this.tail = tail;
        tail.watchReviews(this);
    }

    static String topic(String id) {
        return "review:" + id;
    }

    @Override
    public void accept(Event event) {
        wake(event.resource());
    }

    /** Looks until the result is enough, or the time is over; returns the last result. */
    <T> T until(String topic, Duration patience, Supplier<T> look, Predicate<T> enough) {
        long deadline = System.nanoTime() + patience.toNanos();
        Semaphore news = new Semaphore(0);
        waiters.compute(topic, (_, line) -> {
            Set<Semaphore> all = line == null ? ConcurrentHashMap.newKeySet() : line;
            all.add(news);
            return all;
        });
        try {
            while (true) {
                T seen = look.get();
                long left = deadline - System.nanoTime();
                if (closed || left <= 0 || enough.test(seen) || !news.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                    return seen;
                }
                news.drainPermits();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return look.get();
        } finally {
            waiters.computeIfPresent(topic, (_, line) -> {
                line.remove(news);
                return line.isEmpty() ? null : line;
            });
        }
    }

    private void wake(String topic) {
        Set<Semaphore> line = waiters.get(topic);
        if (line != null) {
            line.forEach(Semaphore::release);
        }
    }

    /** Answers everybody who waits with what there is. */
    @Override
    public void close() {
        closed = true;
        tail.unwatch(this);
        waiters.keySet().forEach(this::wake);
    }
}
