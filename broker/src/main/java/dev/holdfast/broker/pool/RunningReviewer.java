package dev.holdfast.broker.pool;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reviewer whose process this broker runs, with the reason it was asked to end and its log. */
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

    /** Completes when nothing of it is left and its end is fully recorded. */
    CompletableFuture<Void> over() {
        return over;
    }

    /** Sets the reason to end; the first one stays. */
    synchronized void because(String reason) {
        if (asked == null) {
            asked = reason;
        }
    }

    /** The reason to end; null: nobody has asked it to. */
    synchronized @Nullable String asked() {
        return asked;
    }

    private synchronized boolean begins() {
        boolean first = !ending;
        ending = true;
        return first;
    }

    /** Ends its processes, once; a later call can only repeat it without grace. The exit handler does the rest. */
    void end(String reason, Duration grace) {
        because(reason);
        if (!begins() && grace.isPositive()) {
            return;
        }
        Thread.startVirtualThread(() -> {
            if (!process.end(grace)) {
                LOG.warn(
                        "processes of {} could not be stopped",
                        process.started().pid());
            }
        });
    }

    /** Call this after its process has ended: ends whatever it started, and closes its log. */
    void clear() {
        process.end(Duration.ZERO);
        String reason = asked();
        log.event("reviewer_terminated", Map.of("reason", reason == null ? "exited" : reason));
        log.close();
    }
}
