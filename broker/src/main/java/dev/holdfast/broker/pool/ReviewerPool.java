package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.NewReviewers.NewReviewer;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.event.PeriodicTask;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.EndRequest;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The reviewers that this broker runs, as callers see and control them. {@link PoolMaintenance} maintains them: on
 * every change to a review, whenever a process ends, and at regular intervals.
 *
 * <p>A reviewer is recorded in the store before it is started, and marked as terminated as soon as its process has
 * ended: from then on its token is invalid and what it held is pending again.
 */
public final class ReviewerPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerPool.class);
    private static final Duration STOPPING = Duration.ofSeconds(8);
    private static final Duration KILL_IS_QUICK = Duration.ofSeconds(1);
    private static final Duration WITHOUT_IDENTITY = Duration.ofSeconds(1);

    /** What the pool needs from its broker. */
    public record Surroundings(
            PoolReviewers reviewers,
            Reviews reviews,
            Function<String, List<Path>> folders,
            EventTail tail,
            Supplier<@Nullable String> identity,
            PoolReviewer.Host host,
            Path logs,
            Clock clock,
            SecureRandom random,
            Meters meters) {}

    private final PoolReviewers reviewers;
    private final Surroundings around;
    private final SpawnLimits allowance;
    private final Launcher launcher;
    private final NewReviewers newReviewers;
    private final LogReader reading;
    private final RunningReviewers running;
    private final PoolMaintenance care;
    private final Duration interval;
    private final PeriodicTask routine = new PeriodicTask("holdfast-pool", this::turn);
    private final Consumer<Event> nudge;
    private volatile @Nullable URI mcp;
    private volatile boolean closing;

    /**
     * Creates the pool as configured.
     *
     * @throws UnusableLaunchException when the engine cannot be used as configured
     */
    public static ReviewerPool of(Config config, Surroundings around) {
        PoolConfig pool = Objects.requireNonNull(config.pool());
        Launcher launcher = new Launcher(pool, ProjectFolders.of(config, around.folders()), System.getenv());
        Scaling rules = new Scaling(
                pool.size().max(),
                pool.size().ratio(),
                pool.size().cooldown(),
                pool.size().start(),
                pool.size().idle(),
                pool.size().ttl(),
                config.leases().byKind().getOrDefault(Kind.REVIEW, Kind.REVIEW.lease()),
                pool.limits().spawnsPerDay(),
                pool.limits().reviewsPerHour());
        return new ReviewerPool(
                around, launcher, rules, pool.limits().logBytes(), pool.size().interval());
    }

    ReviewerPool(Surroundings around, Launcher launcher, Scaling rules, long logBytes, Duration interval) {
        this.around = around;
        this.launcher = launcher;
        this.interval = interval;
        nudge = _ -> routine.nudge();
        reviewers = around.reviewers();
        allowance = new SpawnLimits(rules);
        newReviewers = new NewReviewers(launcher, around.host(), around.random());
        ReviewerLogs logs = new ReviewerLogs(around.logs(), logBytes, around.clock());
        ReviewerExits exits = new ReviewerExits(reviewers, around.reviews());
        running =
                new RunningReviewers(reviewers, launcher, exits, logs, around.clock(), around.meters(), routine::nudge);
        reading = new LogReader(logs, running);
        care = new PoolMaintenance(
                reviewers, new Scaler(rules), launcher, newReviewers, running, exits, around.meters()::reviewers);
    }

    /** Starts maintaining reviewers, which reach the broker at this address. */
    public void start(URI address) {
        at(address);
        around.tail().watchReviews(nudge);
        routine.start();
        Thread.startVirtualThread(running::tidyLogs);
    }

    /** Sets the address at which reviewers reach the broker, without starting any maintenance. */
    void at(URI address) {
        mcp = address;
    }

    /** The id of this run of the broker; its reviewers' ids end with it. */
    public String session() {
        return newReviewers.session();
    }

    private long turn() {
        try {
            return around.identity().get() == null ? WITHOUT_IDENTITY.toNanos() : look();
        } catch (StoreException e) {
            LOG.warn("cannot check the pool now: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("checking the pool failed", e); // must not end the routine
        }
        return interval.toNanos();
    }

    /** Does whatever is due now; returns the nanoseconds until the next check. */
    long look() {
        return care.look(Objects.requireNonNull(around.identity().get()), closing ? null : mcp)
                .filter(pause -> pause.compareTo(interval) < 0)
                .orElse(interval)
                .toNanos();
    }

    /** Another broker has declared this one dead: what its reviewers hold now belongs to others. */
    public void lostIdentity() {
        running.ids().forEach(id -> running.disown(id, "broker_lost"));
    }

    /**
     * Starts one more reviewer.
     *
     * @param project the project it is needed for; null: any. Depending on the config, the reviewer is bound to that
     *     project or to its folder
     * @throws RefusedException when no more may be started, or starting it fails
     */
    public PoolReviewer spawn(@Nullable String project) {
        String own = around.identity().get();
        URI address = mcp;
        if (own == null || address == null || closing) {
            throw new RefusedException(RefusalCode.BUSY, "The broker is just starting or stopping; try again");
        }
        launcher.trouble().ifPresent(ReviewerPool::refuseSpawn);
        String scope = project == null || project.isBlank() ? null : Text.limited("project", project, 1_000);
        Launcher.Place place = launcher.place(scope);
        List<NewReviewer> enlisted = new ArrayList<>(1);
        reviewers.enlist(now -> {
            allowance.refuseIfNotNow(now, own);
            enlisted.clear();
            enlisted.add(newReviewers.next(place, own));
            return List.of(enlisted.getFirst().reviewer());
        });
        String id = enlisted.getFirst().id();
        running.launch(enlisted.getFirst(), address).ifPresent(ReviewerPool::refuseSpawn);
        return reviewers.find(id).orElseThrow();
    }

    private static void refuseSpawn(String trouble) {
        throw new RefusedException(RefusalCode.BAD_STATE, "Failed to spawn reviewer: " + trouble);
    }

    /** The result of a request to end a reviewer. */
    public record Killed(PoolReviewer reviewer, long remainingClaims) {}

    /**
     * Ends a reviewer: after it has finished what it holds, or at once if forced.
     *
     * @param request who asks for it, and why
     * @throws RefusedException when there is no such reviewer
     */
    public Killed kill(String id, boolean force, EndRequest request) {
        PoolReviewer reviewer = reviewers.find(id).orElseThrow(() -> unknown(id));
        boolean changed = force ? reviewers.force(id, request) : reviewers.drain(id, "manual", request);
        if (changed) {
            LOG.info("{} is stopping{}", id, force ? " at once" : "");
        }
        RunningReviewer one = running.find(id);
        if (one != null) {
            if (force) {
                running.end(id, "force");
            }
            if (force || reviewers.situation().holding(id) == 0) {
                routine.nudge();
                await(one.over(), KILL_IS_QUICK);
            }
        }
        return new Killed(
                reviewers.find(id).orElse(reviewer), reviewers.situation().holding(id));
    }

    /** The reviewers of this run, including ended ones, and the live ones of other brokers. */
    public List<PoolReviewer> list() {
        List<PoolReviewer> all = new ArrayList<>(reviewers.ofSession(session()));
        reviewers.live().stream()
                .filter(reviewer -> !reviewer.session().equals(session()))
                .forEach(all::add);
        return all;
    }

    /** The state of the pool, and why it does not grow; null: nothing prevents it. */
    public record Status(PoolSituation situation, @Nullable String heldBack) {}

    public Status status() {
        return new Status(reviewers.situation(), launcher.trouble().orElseGet(care::heldBack));
    }

    /** @param ended whether the log is complete: no records will follow */
    public record LogPage(List<JsonNode> records, boolean ended) {}

    /**
     * Returns a reviewer's log records after this one, waiting for new ones if there are none.
     *
     * @throws RefusedException when there is no such reviewer
     */
    public LogPage log(String id, long after, int max, Duration patience) {
        PoolReviewer reviewer = reviewers.find(id).orElseThrow(() -> unknown(id));
        try {
            return reading.log(reviewer, after, max, patience);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new LogPage(List.of(), false);
        } catch (IOException e) {
            throw new RefusedException(RefusalCode.BUSY, "The log of " + id + " cannot be read: " + e.getMessage());
        }
    }

    /** The size in bytes of each log stored here, by reviewer. */
    public Map<String, Long> logSizes() {
        try {
            return reading.sizes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RefusedException unknown(String id) {
        return new RefusedException(RefusalCode.NOT_FOUND, "Unknown broker-managed reviewer_id: " + id);
    }

    private static void await(CompletableFuture<?> future, Duration patience) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // it takes longer; the caller reports the current state
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all reviewers at once, and waits for them. */
    @Override
    public void close() {
        closing = true;
        around.tail().unwatch(nudge);
        routine.close();
        await(running.endAll("shutdown"), STOPPING);
    }
}
