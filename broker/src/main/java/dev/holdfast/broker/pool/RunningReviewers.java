package dev.holdfast.broker.pool;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.NewReviewers.NewReviewer;
import dev.holdfast.broker.pool.ReviewerExits.Exit;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes of this broker's reviewers, from start to end. */
final class RunningReviewers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReviewers.class);
    /** The time between asking a reviewer to end and killing it. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration DAY = Duration.ofDays(1);

    private final PoolReviewers reviewers;
    private final Launcher launcher;
    private final ReviewerExits exits;
    private final ReviewerLogs logs;
    private final Clock clock;
    private final Meters meters;
    private final Runnable onEnd;
    private final Map<String, RunningReviewer> running = new ConcurrentHashMap<>();
    private boolean closed;

    /** @param onEnd called after each reviewer's end */
    RunningReviewers(
            PoolReviewers reviewers,
            Launcher launcher,
            ReviewerExits exits,
            ReviewerLogs logs,
            Clock clock,
            Meters meters,
            Runnable onEnd) {
        this.reviewers = reviewers;
        this.launcher = launcher;
        this.exits = exits;
        this.logs = logs;
        this.clock = clock;
        this.meters = meters;
        this.onEnd = onEnd;
    }

    /**
     * Starts a reviewer that is already recorded in the store.
     *
     * @param mcp where it reaches the broker
     * @return what went wrong, if anything
     */
    Optional<String> launch(NewReviewer created, URI mcp) {
        String id = created.id();
        ReviewerLog log = logs.begin(id, created.reviewer().session());
        try {
            RunningReviewer one = start(created, mcp, log);
            LOG.info("started {} (pid {})", id, one.process().started().pid());
            var _ = one.process()
                    .exit()
                    .whenCompleteAsync((code, _) -> exited(id, one, code), Thread::startVirtualThread);
            if (!reviewers.started(created.reviewer(), one.process().started())) {
                one.end("disowned", Duration.ZERO);
            }
            meters.spawned(true);
            return Optional.empty();
        } catch (IOException | UnusableLaunchException e) {
            String trouble = String.valueOf(e.getMessage());
            LOG.warn("cannot start {}: {}", id, trouble);
            log.event("reviewer_spawn_failed", Map.of("message", trouble));
            log.close();
            meters.spawned(false);
            exits.record(id, new Exit("spawn_failed", null, trouble));
            tidyLogs();
            return Optional.of(trouble);
        }
    }

    /** Refuses once all are being ended, because nothing would end this one. */
    private synchronized RunningReviewer start(NewReviewer created, URI mcp, ReviewerLog log) throws IOException {
        if (closed) {
            throw new UnusableLaunchException("the broker is stopping");
        }
        RunningReviewer one = new RunningReviewer(launcher.start(created.reviewer(), created.token(), mcp, log), log);
        running.put(created.id(), one);
        return one;
    }

    private void exited(String id, RunningReviewer one, @Nullable Integer code) {
        String asked = one.asked();
        String output = one.process().lastOutput();
        LOG.info("{} has ended ({}, exit code {})", id, asked == null ? "by itself" : asked, code);
        one.log().event("reviewer_process_exited", Map.of("exit_code", String.valueOf(code)));
        exits.record(id, new Exit(asked == null ? "exited" : asked, code, output.isEmpty() ? null : output));
        one.clear();
        running.remove(id);
        one.over().complete(null);
        onEnd.run();
        tidyLogs();
    }

    /** Deletes logs of ended reviewers that exceed the limit. */
    void tidyLogs() {
        try {
            logs.tidy(this::isOver);
        } catch (StoreException e) {
            LOG.debug("cannot clean up logs now: {}", e.getMessage());
        }
    }

    /** Other brokers may share the folder: an unknown reviewer may be theirs, so its log is kept for a day. */
    private boolean isOver(String id, Instant written) {
        return !running.containsKey(id)
                && reviewers
                        .find(id)
                        .map(reviewer -> reviewer.ended() != null)
                        .orElseGet(() -> written.isBefore(clock.instant().minus(DAY)));
    }

    /** Null: not one of ours, or it has ended. */
    @Nullable
    RunningReviewer find(String id) {
        return running.get(id);
    }

    /** The reviewers running now. */
    Set<String> ids() {
        return Set.copyOf(running.keySet());
    }

    /**
     * Ends a reviewer whose end is decided. With the reason "force", its end is recorded first, so that its calls are
     * refused at once.
     */
    void end(String id, String reason) {
        RunningReviewer one = running.get(id);
        if (one == null) {
            exits.record(id, Exit.because(reason));
        } else if (reason.equals("force")) {
            one.because(reason);
            exits.record(id, Exit.because(reason));
            one.end(reason, Duration.ZERO);
        } else {
            one.end(reason, GRACE);
        }
    }

    /** Ends a reviewer at once, because its calls would be refused. */
    void disown(String id, String reason) {
        RunningReviewer one = running.get(id);
        if (one != null) {
            one.end(reason, Duration.ZERO);
        }
    }

    /** Asks all of them to end, in parallel, and starts no more; completes when the last one is gone. */
    synchronized CompletableFuture<Void> endAll(String reason) {
        closed = true;
        List<RunningReviewer> all = List.copyOf(running.values());
        all.forEach(one -> one.end(reason, GRACE));
        return CompletableFuture.allOf(all.stream().map(RunningReviewer::over).toArray(CompletableFuture[]::new));
    }
}
