package dev.holdfast.broker;

import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a broker does by itself, again and again. A chore that fails is tried again at its next turn. */
final class Chores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);

    /**
     * One more than there are chores that may take long (webhooks that hang, steps of large tasks, old rows): the broker's own
     * identity must be renewed whatever else goes on.
     */
    private static final int THREADS = 4;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("holdfast-chores-", 1).factory());

    void every(Duration pause, Duration first, Runnable chore) {
        timer.scheduleWithFixedDelay(() -> attempt(chore), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void attempt(Runnable chore) {
        try {
            chore.run();
        } catch (StoreException e) {
            LOG.warn("put off: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("a chore failed", e); // and must not end the timer, as an exception would
        }
    }

    boolean ended() {
        return timer.isShutdown();
    }

    /** Lets what is being done come to its end. */
    @Override
    public void close() {
        timer.close();
    }
}
