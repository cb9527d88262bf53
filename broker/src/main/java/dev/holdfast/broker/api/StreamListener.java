package dev.holdfast.broker.api;

import dev.holdfast.event.Event;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** One end of an event stream: events arrive on one thread, and another waits for them and writes. */
public abstract class StreamListener implements Consumer<Event> {
    protected final ReentrantLock lock = new ReentrantLock();
    protected final Condition changed = lock.newCondition();
    /** The stream is ending: stop waiting. Guarded by {@link #lock}. */
    protected boolean woken;

    public final void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
