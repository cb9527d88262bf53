package dev.holdfast.broker.pool;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reviewer whose process is ours, what it was asked to end for, and its log. */
final class RunningReviewer {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReviewer.class);

    private final ReviewerProcess process;
    private final ReviewerLog log;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private @Nullable String asked;
    private boolean ending;

    RunningReviewer(ReviewerProcess process, ReviewerLog log) {
        this.process = process;
        this.log = log;
    }

    ReviewerProcess process() {
        return process;
    }

    ReviewerLog log() {
        return log;
    }

    /** When nothing of it is left, and everything about its end is written down. */
    CompletableFuture<Void> over() {
        return over;
    }

    /** Why it is to end; the first reason stays. */
    synchronized void because(String reason) {
        if (asked == null) {
            asked = reason;
        }
    }

    /** Null: nobody has asked it to end. */
    synchronized @Nullable String asked() {
        return asked;
    }

    private synchronized boolean begins() {
        boolean first = !ending;
        ending = true;
        return first;
    }

    /** Ends its processes, once, or once more without any patience; its exit does the rest. */
    void end(String reason, Duration grace) {
        because(reason);
        if (!begins() && grace.isPositive()) {
            return;
        }
        Thread.startVirtualThread(() -> {
            if (!process.end(grace)) {
                LOG.warn("processes of {} could not be ended", process.started().pid());
            }
        });
    }

    /** Its process has ended: nothing that it has started stays, and its log is complete. */
    void clear() {
        process.end(Duration.ZERO);
        String reason = asked();
        log.event("reviewer_terminated", Map.of("reason", reason == null ? "exited" : reason));
        log.close();
    }
}
