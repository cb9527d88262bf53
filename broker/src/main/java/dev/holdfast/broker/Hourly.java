package dev.holdfast.broker;

import dev.holdfast.claim.Retention;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets retention drop what is old, now and then. */
final class Hourly implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hourly.class);

    private final Retention retention;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast-retention").factory());

    Hourly(Retention retention, Duration every) {
        this.retention = retention;
        timer.scheduleWithFixedDelay(this::drop, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void drop() {
        try {
            long dropped = 0;
            int some;
            do {
                some = retention.drop();
                dropped += some;
            } while (some > 0 && !timer.isShutdown());
            if (dropped > 0) {
                LOG.info("dropped {} old rows", dropped);
            }
        } catch (StoreException e) {
            LOG.warn("cannot drop old rows now: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        timer.close();
    }
}
