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
 * Runs a broker's recurring background jobs. A chore that fails is retried at its next turn; one that hangs is logged
 * and delays no other, since each has its own thread.
 */
final class Chores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
    private static final Duration LAST_TURNS = Duration.ofSeconds(3);

    private final ScheduledThreadPoolExecutor timer;
    private final Duration patience;
    private final Share share;
    /** The running chores and when they started. */
    private final Map<String, Long> underWay = new ConcurrentHashMap<>();

    private int chores;

    /**
     * @param threads the prefix of their thread names
     * @param patience a chore that runs longer is logged, and again each time this much has passed
     * @param share the share of database connections they use
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

    /** Returns a runnable that starts this chore, unless it is still running. */
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

    /** The executor never grows beyond its core size, however many tasks wait. */
    private synchronized void oneMoreThread() {
        timer.setCorePoolSize(++chores);
    }

    private void attempt(String name, Runnable chore) {
        underWay.put(name, System.nanoTime());
        try {
            share.turn().run(chore);
        } catch (StoreException e) {
            LOG.warn("{}: postponed: {}", name, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{}: failed", name, e); // an exception would cancel the schedule
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

    /** Lets running chores finish, unless they hang. */
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
