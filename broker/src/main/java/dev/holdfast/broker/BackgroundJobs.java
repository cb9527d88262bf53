package dev.holdfast.broker;

import dev.holdfast.store.Share;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a broker's recurring background jobs. A chore that fails is retried at its next turn; one that hangs is logged
 * and delays no other, since each turn has its own thread. One thread keeps the time, so that skipped turns cost next
 * to nothing.
 */
final class BackgroundJobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundJobs.class);
    private static final Duration LAST_TURNS = Duration.ofSeconds(3);
    /** A thread that had no turn for this long ends. */
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService workers;
    private final Duration patience;
    private final Share share;
    /** The running chores and when they started. */
    private final Map<String, Long> underWay = new ConcurrentHashMap<>();

    /**
     * @param threads the prefix of their thread names
     * @param patience a chore that runs longer is logged, and again each time this much has passed
     * @param share the share of database connections they use
     */
    BackgroundJobs(String threads, Duration patience, Share share) {
        this.patience = patience;
        this.share = share;
        RejectedExecutionHandler stopped = new ThreadPoolExecutor.DiscardPolicy();
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(threads + "-timer").factory(), stopped);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                UNUSED.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name(threads + "-", 1).factory(),
                stopped);
        var _ = timer.scheduleWithFixedDelay(
                this::logHangingJobs, patience.toMillis(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    void every(Duration pause, Duration first, String name, Runnable chore) {
        every(pause, first, name, () -> false, chore);
    }

    /** @param skips whether the turn that is due can be skipped; must neither block nor fail */
    void every(Duration pause, Duration first, String name, BooleanSupplier skips, Runnable chore) {
        Runnable turn = () -> {
            if (skips.getAsBoolean()) {
                every(pause, pause, name, skips, chore);
            } else {
                workers.execute(() -> {
                    attempt(name, chore);
                    every(pause, pause, name, skips, chore);
                });
            }
        };
        var _ = timer.schedule(turn, first.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns a runnable that starts this chore, unless it is still running. */
    Runnable whenAsked(String name, Runnable chore) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (!ended() && begun.compareAndSet(false, true)) {
                workers.execute(() -> {
                    try {
                        attempt(name, chore);
                    } finally {
                        begun.set(false);
                    }
                });
            }
        };
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

    private void logHangingJobs() {
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
        workers.shutdown();
        try {
            if (!workers.awaitTermination(LAST_TURNS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("stopped without waiting for {}", underWay.keySet());
                workers.shutdownNow();
            }
        } catch (InterruptedException _) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
