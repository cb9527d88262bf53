package dev.holdfast.event;

import dev.holdfast.store.BadRows;
import dev.holdfast.store.Pending;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the events of all brokers on the store, in order and without gaps, and notifies listeners.
 *
 * <p>On PostgreSQL a lower id may be committed after a higher one: the tail stops before the first missing id until it
 * appears, or until the transaction that could commit it is certainly gone.
 */
public final class EventTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);
    private static final Duration POLL = Duration.ofSeconds(2);
    /** If this process is the only writer, every change calls {@link #changed}. */
    private static final Duration POLL_ALONE = Duration.ofMinutes(1);

    private static final int AT_ONCE = 1_000;

    private final Store store;
    private final EventOrder order;
    private final List<Consumer<Event>> watchers = new CopyOnWriteArrayList<>();
    private final List<Consumer<Event>> reviewWatchers = new CopyOnWriteArrayList<>();
    private final List<Hearing> hearingOthers = new CopyOnWriteArrayList<>();
    private final PeriodicTask routine = new PeriodicTask("holdfast-tail", this::follow);
    private final @Nullable BrokerNotifications notices;
    private final BadRows bad = new BadRows(LOG, "pass on");
    private final AtomicLong changes = new AtomicLong();
    private volatile boolean noticed;
    private volatile boolean closed;
    private long delivered;

    /** Hears of other brokers' events, as many at a time as there are. */
    public interface Hearing extends Consumer<List<Event>> {
        /**
         * Asks for what it has to know about the events after this one, at most this many, in the round trip that reads
         * them. Returns who is told of them instead, once the answers are there.
         */
        Consumer<List<Event>> ask(Transaction transaction, long after, int max) throws SQLException;
    }

    public static EventTail start(Store store) {
        return new EventTail(store);
    }

    private EventTail(Store store) {
        this.store = store;
        order = EventOrder.of(store);
        delivered = order.settled();
        notices = store instanceof PostgresStore postgres ? new BrokerNotifications(postgres, this::noticed) : null;
        routine.start();
    }

    /** The watcher receives every event committed from now on, by any broker. It must be quick. */
    public void watch(Consumer<Event> watcher) {
        watchers.add(watcher);
    }

    /**
     * As above, but the watcher receives only events of reviews and their reviewers. While nobody watches everything,
     * this process's other events are not even read.
     */
    public void watchReviews(Consumer<Event> watcher) {
        reviewWatchers.add(watcher);
    }

    public void unwatch(Consumer<Event> watcher) {
        watchers.remove(watcher);
        reviewWatchers.remove(watcher);
    }

    /** The listener receives only other brokers' events. */
    public void hearOthers(Hearing listener) {
        hearingOthers.add(listener);
    }

    /** Another broker has told us that there is something new. */
    private void noticed() {
        noticed = true;
        routine.nudge();
    }

    /** Call this after this process has committed events: notifies its own watchers and the other brokers. */
    public void changed() {
        changes.incrementAndGet();
        if (!watchers.isEmpty() || !reviewWatchers.isEmpty()) {
            routine.nudge();
        }
        if (notices != null) {
            notices.send();
        }
    }

    /** Increases with every change that has an event: at once for this process's own, soon for other brokers'. */
    public long changes() {
        return changes.get();
    }

    /** The id of the latest event below which no hole can still be filled. */
    public long latest() {
        return order.settled();
    }

    /** Events after this id, oldest first, up to the first hole that could still be filled. */
    public List<Event> after(long id, int max) {
        long until = order.settled();
        return store.read(transaction -> Events.after(transaction, id, until, max));
    }

    /** As above, for one resource. */
    public List<Event> after(long id, String resource, int max) {
        long until = order.settled();
        return store.read(transaction -> Events.ofResource(transaction, resource, id, until, max));
    }

    /** Events before this id, newest first. */
    public List<Event> before(long id, @Nullable String resource, int max) {
        long until = order.settled();
        return store.read(transaction -> Events.before(transaction, resource, id, until, max));
    }

    /** Events of all resources in this range, the end excluded; by resource, oldest first. */
    public List<Event> between(String first, String beyond, int max) {
        long until = order.settled();
        return store.read(transaction -> Events.ofResources(transaction, first, beyond, until, max));
    }

    private long follow() {
        try {
            deliverNew();
        } catch (StoreException e) {
            LOG.warn("cannot follow the events: {}", e.getMessage());
        }
        return (notices == null ? POLL_ALONE : POLL).toNanos();
    }

    private void deliverNew() {
        boolean more = true;
        while (more && !closed) {
            boolean all = !watchers.isEmpty();
            List<Consumer<List<Event>>> hearing = new ArrayList<>(hearingOthers);
            boolean fromOthers = noticed;
            noticed = false;
            EventOrder.Settled settled = order.settledAfter(delivered, (transaction, id) -> {
                Pending<List<Event>> following = all
                        ? Events.askAfter(transaction, id, AT_ONCE)
                        : Events.askOthersAndReviewsAfter(transaction, store.origin(), id, AT_ONCE);
                if (fromOthers) {
                    hearing.clear(); // it may be asked again
                    for (Hearing one : hearingOthers) {
                        hearing.add(one.ask(transaction, id, AT_ONCE));
                    }
                }
                return following;
            });
            if (!all && !watchers.isEmpty()) {
                continue; // somebody has begun to watch everything, who must not miss what was left out
            }
            List<Event> events = settled.following().stream()
                    .filter(event -> event.id() <= settled.id())
                    .toList();
            hear(
                    hearing,
                    events.stream()
                            .filter(event -> event.origin() != store.origin())
                            .toList());
            events.forEach(this::deliver);
            more = events.size() == AT_ONCE;
            delivered = more ? events.getLast().id() : Math.max(delivered, settled.id());
        }
    }

    private void hear(List<Consumer<List<Event>>> hearing, List<Event> others) {
        if (!others.isEmpty()) {
            changes.addAndGet(others.size());
            hearing.forEach(listener -> listener.accept(others));
        }
    }

    private void deliver(Event event) {
        watchers.forEach(watcher -> deliver(watcher, event));
        if (event.ofReviews()) {
            reviewWatchers.forEach(watcher -> deliver(watcher, event));
        }
    }

    /** A failure of one watcher on one event must not keep others from receiving it, or from receiving the next. */
    private void deliver(Consumer<Event> watcher, Event event) {
        bad.attempt("event " + event.id() + " of " + event.resource(), () -> {
            watcher.accept(event);
            return true;
        });
    }

    @Override
    public void close() {
        closed = true; // a tail that is far behind need not catch up any more
        if (notices != null) {
            notices.close();
        }
        routine.close();
    }
}
