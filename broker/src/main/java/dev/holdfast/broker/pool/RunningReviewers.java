package dev.holdfast.broker.pool;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.NewReviewers.Recruit;
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

/** The processes of this broker's reviewers, from their start to their end. */
final class RunningReviewers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReviewers.class);
    /** What a reviewer gets between being asked to end and being ended. */
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

    /** @param onEnd called whenever one has ended */
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
     * Starts one that stands in the store already.
     *
     * @param mcp where it reaches the broker
     * @return what went wrong, if it did
     */
    Optional<String> launch(Recruit recruit, URI mcp) {
        String id = recruit.id();
        ReviewerLog log = logs.begin(id, recruit.reviewer().session());
        try {
            RunningReviewer one = start(recruit, mcp, log);
            LOG.info("started {} (pid {})", id, one.process().started().pid());
            var _ = one.process()
                    .exit()
                    .whenCompleteAsync((code, _) -> exited(id, one, code), Thread::startVirtualThread);
            if (!reviewers.started(recruit.reviewer(), one.process().started())) {
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
            exits.bury(id, new Exit("spawn_failed", null, trouble));
            tidyLogs();
            return Optional.of(trouble);
        }
    }

    /** Not while all are being ended: nobody would end this one. */
    private synchronized RunningReviewer start(Recruit recruit, URI mcp, ReviewerLog log) throws IOException {
        if (closed) {
            throw new UnusableLaunchException("the broker is stopping");
        }
        RunningReviewer one = new RunningReviewer(launcher.start(recruit.reviewer(), recruit.token(), mcp, log), log);
        running.put(recruit.id(), one);
        return one;
    }

    private void exited(String id, RunningReviewer one, @Nullable Integer code) {
        String asked = one.asked();
        String output = one.process().lastOutput();
        LOG.info("{} has ended ({}, exit code {})", id, asked == null ? "by itself" : asked, code);
        one.log().event("reviewer_process_exited", Map.of("exit_code", String.valueOf(code)));
        exits.bury(id, new Exit(asked == null ? "exited" : asked, code, output.isEmpty() ? null : output));
        one.clear();
        running.remove(id);
        one.over().complete(null);
        onEnd.run();
        tidyLogs();
    }

    /** Drops what is too much of the logs of those that have ended. */
    void tidyLogs() {
        try {
            logs.tidy(this::isOver);
        } catch (StoreException e) {
            LOG.debug("cannot clean up logs now: {}", e.getMessage());
        }
    }

    /** Other brokers may use the folder too: who is unknown here may be theirs, and is taken for it for a day. */
    private boolean isOver(String id, Instant written) {
        return !running.containsKey(id)
                && reviewers
                        .find(id)
                        .map(reviewer -> reviewer.ended() != null)
                        .orElseGet(() -> written.isBefore(clock.instant().minus(DAY)));
    }

    /** Null: it is none of ours, or has ended. */
    @Nullable
    RunningReviewer find(String id) {
        return running.get(id);
    }

    /** Who runs now. */
    Set<String> ids() {
        return Set.copyOf(running.keySet());
    }

    /** Ends one that is to end anyhow; by force, it does not get a word in any more. */
    void end(String id, String reason) {
        RunningReviewer one = running.get(id);
        if (one == null) {
            exits.bury(id, Exit.because(reason));
        } else if (reason.equals("force")) {
            one.because(reason);
            exits.bury(id, Exit.because(reason));
            one.end(reason, Duration.ZERO);
        } else {
            one.end(reason, GRACE);
        }
    }

    /** Ends one at once whose work would be refused. */
    void disown(String id, String reason) {
        RunningReviewer one = running.get(id);
        if (one != null) {
            one.end(reason, Duration.ZERO);
        }
    }

    /** Asks them all to end, at the same time, and starts no more; done when the last one is over. */
    synchronized CompletableFuture<Void> endAll(String reason) {
        closed = true;
        List<RunningReviewer> all = List.copyOf(running.values());
        all.forEach(one -> one.end(reason, GRACE));
        return CompletableFuture.allOf(all.stream().map(RunningReviewer::over).toArray(CompletableFuture[]::new));
    }
}
