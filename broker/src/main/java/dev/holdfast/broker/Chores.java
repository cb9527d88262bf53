package dev.holdfast.broker;

import dev.holdfast.store.Share;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a broker does by itself, again and again. A chore that fails is tried again at its next turn; one that hangs is logged
 * and delays no other, as each has a thread.
 */
final class Chores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
    private static final Duration LAST_TURNS = Duration.ofSeconds(3);

    private final ScheduledThreadPoolExecutor timer;
    private final Duration patience;
    private final Share share;
    /** Those that are being done, by when they began. */
    private final Map<String, Long> underWay = new ConcurrentHashMap<>();

    private int chores;

    /**
     * @param threads what their threads are called
     * @param patience a chore that takes longer is logged, and again each time as much has passed
     * @param share whose connections to the database they use
     */
    Chores(String threads, Duration patience, Share share) {
        this.patience = patience;
        this.share = share;
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(threads + "-", 1).factory());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        oneMoreThread();
        var _ = timer.scheduleWithFixedDelay(
                this::tellOfThoseThatHang, patience.toMillis(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    void every(Duration pause, Duration first, String name, Runnable chore) {
        oneMoreThread();
        var _ = timer.scheduleWithFixedDelay(
                () -> attempt(name, chore), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A chore that is begun by running what is returned, unless it is still under way. */
    Runnable whenAsked(String name, Runnable chore) {
        oneMoreThread();
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (!timer.isShutdown() && begun.compareAndSet(false, true)) {
                timer.execute(() -> {
                    try {
                        attempt(name, chore);
                    } finally {
                        begun.set(false);
                    }
                });
            }
        };
    }

    /** The executor has no more threads than its core, whatever waits. */
    private synchronized void oneMoreThread() {
        timer.setCorePoolSize(++chores);
    }

    private void attempt(String name, Runnable chore) {
        underWay.put(name, System.nanoTime());
        try {
            share.run(chore);
        } catch (StoreException e) {
            LOG.warn("{}: postponed: {}", name, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{}: failed", name, e); // and must not end the timer, as an exception would
        } finally {
            underWay.remove(name);
        }
    }

    private void tellOfThoseThatHang() {
        long now = System.nanoTime();
        underWay.forEach((name, since) -> {
            if (now - since >= patience.toNanos()) {
                LOG.warn("{}: still running after {} s; its next run waits", name, seconds(now - since));
            }
        });
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }

    boolean ended() {
        return timer.isShutdown();
    }

    /** Lets what is being done come to its end, unless it hangs. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(LAST_TURNS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("stopped without waiting for {}", underWay.keySet());
                timer.shutdownNow();
            }
        } catch (InterruptedException _) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
