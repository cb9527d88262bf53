package dev.holdfast.broker.api;

import dev.holdfast.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The events still to be sent to one subscriber; bounded, because it may read slowly or not at all. */
final class Subscriber extends StreamListener {
    private static final int MAX = 2_000;

    private final Peer peer;
    private List<Event> heard = new ArrayList<>();
    private boolean overrun;

    Subscriber(Peer peer) {
        this.peer = peer;
    }

    @Override
    public void accept(Event event) {
        lock.lock();
        try {
            if (overrun) {
                return;
            }
            if (heard.size() == MAX) {
                overrun = true;
                heard = List.of();
                peer.hangUp(); // the thread that serves it may be blocked in a write
            } else {
                heard.add(event);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the events since the last call, waiting at most this long if there are none. */
    List<Event> take(Duration patience) {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (heard.isEmpty() && !overrun && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            List<Event> taken = heard;
            heard = new ArrayList<>();
            return taken;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            overrun = true;
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    boolean overrun() {
        lock.lock();
        try {
            return overrun;
        } finally {
            lock.unlock();
        }
    }
}
