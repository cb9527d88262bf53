package dev.holdfast.broker.pool;

import dev.holdfast.broker.auth.Token;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.git.Repositories;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.Scaler.Decisions;
import dev.holdfast.broker.pool.engine.UnusableSeatException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.event.Routine;
import dev.holdfast.review.PoolReviewer;
import dev.holdfast.review.PoolReviewer.State;
import dev.holdfast.review.PoolReviewers;
import dev.holdfast.review.PoolSituation;
import dev.holdfast.review.Reviews;
import dev.holdfast.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The reviewers that this broker runs. What is decided stands in {@link Scaler}; here it is done: at every change to a
 * review, at every end of a process, and every now and then.
 *
 * <p>A reviewer stands in the store before it is started, and is terminated there as soon as its process has ended: then
 * its token is worth nothing, and what it held is pending again.
 */
public final class ReviewerPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerPool.class);
    /** What a reviewer gets between being asked to end and being ended. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration STOPPING = Duration.ofSeconds(8);
    private static final Duration KILL_IS_QUICK = Duration.ofSeconds(1);
    private static final Duration WITHOUT_IDENTITY = Duration.ofSeconds(1);

    /** What the pool needs of the broker it belongs to. */
    public record Surroundings(
            PoolReviewers reviewers,
            Reviews reviews,
            EventTail tail,
            Supplier<@Nullable String> identity,
            PoolReviewer.Host host,
            Path logs,
            Clock clock,
            SecureRandom random,
            Meters meters) {}

    private final PoolReviewers reviewers;
    private final Reviews reviews;
    private final Surroundings around;
    private final Scaling rules;
    private final Scaler scaler;
    private final Launcher launcher;
    private final Duration interval;
    private final String session;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final Map<String, Exit> unsettled = new ConcurrentHashMap<>();
    private final Routine routine = new Routine("holdfast-pool", this::turn);
    private final Consumer<Event> nudge = this::heard;
    private final Executor apart = Thread::startVirtualThread;
    private volatile @Nullable URI mcp;
    private volatile boolean closing;
    private volatile @Nullable String heldBack;

    /** A process of ours, and what it was asked to end for. */
    private static final class Running {
        final ReviewerProcess process;
        final ReviewerLog log;
        final CompletableFuture<Void> over = new CompletableFuture<>();
        /** Why it is to end; null: nobody has asked it to. */
        volatile @Nullable String asked;

        private boolean ending;

        Running(ReviewerProcess process, ReviewerLog log) {
            this.process = process;
            this.log = log;
        }

        /** The first reason stays. */
        synchronized void because(String reason) {
            if (asked == null) {
                asked = reason;
            }
        }

        /** Whether nobody has begun to end it before. */
        synchronized boolean begins() {
            boolean first = !ending;
            ending = true;
            return first;
        }
    }

    private record Exit(
            String reason, @Nullable Integer code, @Nullable String lastOutput) {}

    private record Recruit(PoolReviewer.New reviewer, Token token) {}

    /**
     * As configured.
     *
     * @throws UnusableSeatException when the engine or the prompt can't be used as configured
     */
    public static ReviewerPool of(Config config, Surroundings around) {
        PoolConfig pool = Objects.requireNonNull(config.pool());
        Launcher launcher = new Launcher(
                pool, new Repositories(pool.workspace().path(), config.reviews().projects()), System.getenv());
        Scaling rules = new Scaling(
                pool.size().most(),
                pool.size().ratio(),
                pool.size().cooldown(),
                pool.size().start(),
                pool.size().idle(),
                pool.size().ttl(),
                config.leases().byKind().getOrDefault(Kind.REVIEW, Kind.REVIEW.lease()),
                pool.limits().spawnsPerDay(),
                pool.limits().reviewsPerHour());
        return new ReviewerPool(around, launcher, rules, pool.size().interval());
    }

    ReviewerPool(Surroundings around, Launcher launcher, Scaling rules, Duration interval) {
        this.around = around;
        this.launcher = launcher;
        this.rules = rules;
        this.interval = interval;
        reviewers = around.reviewers();
        reviews = around.reviews();
        scaler = new Scaler(rules);
        session = String.format("%08x", around.random().nextInt());
    }

    /** Begins to look after reviewers, which reach the broker there. */
    public void start(URI address) {
        at(address);
        around.tail().watch(nudge);
        routine.start();
    }

    /** Reviewers reach the broker there; somebody else looks after them. */
    void at(URI address) {
        mcp = address;
    }

    private void heard(Event event) {
        if (event.resource().startsWith("review")) {
            routine.nudge();
        }
    }

    /** This run of the broker; the ids of its reviewers end with it. */
    public String session() {
        return session;
    }

    // Looking after them

    private long turn() {
        try {
            return around.identity().get() == null ? WITHOUT_IDENTITY.toNanos() : look();
        } catch (StoreException e) {
            LOG.warn("the pool can't be looked after now: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("looking after the pool failed", e); // and must not end it
        }
        return interval.toNanos();
    }

    /** Does what is to be done now; returns the nanoseconds until something else will be. */
    long look() {
        String own = Objects.requireNonNull(around.identity().get());
        unsettled.forEach(this::settle);
        PoolSituation now = reviewers.situation();
        tellMeters(now, own);
        endTheDisowned(now);
        Decisions decisions = scaler.decide(now, own);
        decisions.ends().forEach(end -> end(end.reviewer(), end.reason()));
        decisions.drains().forEach(drain -> drain(drain.reviewer(), drain.reason()));
        if (!decisions.starts().isEmpty() && !closing) {
            decisions = startMore(own).orElse(decisions);
        }
        tellHeldBack(decisions.heldBack(), now);
        return Optional.ofNullable(decisions.lookAgain())
                .map(at -> Duration.between(now.now(), at).plusMillis(1))
                .filter(pause -> pause.compareTo(interval) < 0)
                .orElse(interval)
                .toNanos();
    }

    private void tellMeters(PoolSituation now, String own) {
        List<State> states = now.reviewers().stream()
                .map(PoolSituation.Live::reviewer)
                .filter(reviewer -> reviewer.broker().equals(own))
                .map(PoolReviewer::state)
                .toList();
        long active = states.stream().filter(State.ACTIVE::equals).count();
        around.meters().reviewers(active, states.size() - active);
    }

    private void tellHeldBack(@Nullable String reason, PoolSituation now) {
        if (reason != null && !reason.equals(heldBack)) {
            String output = now.crashes().lastOutput();
            LOG.info(
                    "no more reviewers are started for now: {}{}",
                    reason,
                    output == null ? "" : "; last output: " + output);
        }
        heldBack = reason;
    }

    /** Another broker took ours for dead and terminated them: what they did would be refused. */
    private void endTheDisowned(PoolSituation now) {
        List<String> live =
                now.reviewers().stream().map(one -> one.reviewer().id()).toList();
        running.forEach((id, one) -> {
            if (!live.contains(id)
                    && reviewers.find(id).filter(row -> row.ended() != null).isPresent()) {
                ask(one, "disowned", Duration.ZERO);
            }
        });
    }

    private Optional<Decisions> startMore(String own) {
        List<Recruit> recruits = new ArrayList<>();
        List<Decisions> decided = new ArrayList<>();
        reviewers.enlist(now -> {
            recruits.clear();
            Decisions decisions = scaler.decide(now, own);
            decided.add(decisions);
            decisions.starts().forEach(start -> recruits.add(recruit(start.project(), own)));
            return recruits.stream().map(Recruit::reviewer).toList();
        });
        recruits.forEach(this::launch);
        return decided.isEmpty() ? Optional.empty() : Optional.of(decided.getLast());
    }

    private Recruit recruit(@Nullable String project, String own) {
        String name = launcher.engine() + "-r" + count.incrementAndGet();
        Token token = Token.random(around.random());
        return new Recruit(
                new PoolReviewer.New(
                        name + "-" + session,
                        name,
                        session,
                        own,
                        around.host(),
                        project,
                        launcher.workspace(project).toString(),
                        token.hash()),
                token);
    }

    /** What went wrong, if it did. */
    private Optional<String> launch(Recruit recruit) {
        PoolReviewer.New reviewer = recruit.reviewer();
        String id = reviewer.id();
        ReviewerLog log = new ReviewerLog(around.logs(), id, session, around.clock(), ReviewerLog.FULL);
        try {
            ReviewerProcess process = launcher.start(reviewer, recruit.token(), Objects.requireNonNull(mcp), log);
            Running one = new Running(process, log);
            running.put(id, one);
            LOG.info("started {} (pid {})", id, process.started().pid());
            process.exit().whenCompleteAsync((code, _) -> exited(id, one, code), apart);
            if (!reviewers.started(reviewer, process.started())) {
                ask(one, "disowned", Duration.ZERO);
            }
            around.meters().spawned(true);
            return Optional.empty();
        } catch (IOException | UnusableSeatException e) {
            LOG.warn("cannot start {}: {}", id, e.getMessage());
            log.event("reviewer_spawn_failed", Map.of("message", String.valueOf(e.getMessage())));
            log.close();
            around.meters().spawned(false);
            settle(id, new Exit("spawn_failed", null, e.getMessage()));
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    // Ending them

    private void drain(String id, String reason) {
        if (reviewers.drain(id, reason)) {
            LOG.info("draining {}: {}", id, reason);
        }
    }

    private void end(String id, String reason) {
        Running one = running.get(id);
        if (one == null) {
            settle(id, new Exit(reason, null, null));
        } else {
            boolean hard = reason.equals("force");
            if (hard) {
                one.because(reason);
                settle(id, new Exit(reason, null, null)); // first: it must not get a word in any more
            }
            ask(one, reason, hard ? Duration.ZERO : GRACE);
        }
    }

    /** Ends a process, once, or once more without any patience; its exit does the rest. */
    private void ask(Running one, String reason, Duration grace) {
        one.because(reason);
        if (!one.begins() && grace.isPositive()) {
            return;
        }
        apart.execute(() -> {
            if (!one.process.end(grace)) {
                LOG.warn(
                        "processes of {} could not be ended",
                        one.process.started().pid());
            }
        });
    }

    private void exited(String id, Running one, @Nullable Integer code) {
        String asked = one.asked;
        String output = one.process.lastOutput();
        LOG.info("{} has ended ({}, exit code {})", id, asked == null ? "by itself" : asked, code);
        one.log.event("reviewer_process_exited", Map.of("exit_code", String.valueOf(code)));
        settle(id, new Exit(asked == null ? "exited" : asked, code, output.isEmpty() ? null : output));
        one.process.end(Duration.ZERO); // what it has left behind
        one.log.event("reviewer_terminated", Map.of("reason", asked == null ? "exited" : asked));
        one.log.close();
        running.remove(id);
        one.over.complete(null);
        routine.nudge();
    }

    /** Its token is worth nothing from now on, and what it held is pending; tried again if the store is away. */
    private void settle(String id, Exit exit) {
        try {
            reviewers.terminated(id, exit.reason(), exit.code(), exit.lastOutput());
            int held = reviews.claiming().reclaimFrom(id, "reviewer_process_exit");
            if (held > 0) {
                LOG.info("{} had {} reviews, which are pending again", id, held);
            }
            reviews.next().offerWhatNobodyComesBackFor();
            unsettled.remove(id);
        } catch (StoreException e) {
            LOG.warn("the end of {} can't be written down now: {}", id, e.getMessage());
            unsettled.put(id, exit);
        }
    }

    /** This broker was taken for dead: what its reviewers hold is others' now. */
    public void lostIdentity() {
        running.values().forEach(one -> ask(one, "broker_lost", Duration.ZERO));
    }

    // What people ask for

    /**
     * Starts one more.
     *
     * @param project the only one it is to review; null: any
     * @throws RefusedException when there are enough, or it can't be
     */
    public PoolReviewer spawn(@Nullable String project) {
        String own = around.identity().get();
        if (own == null || mcp == null || closing) {
            throw new RefusedException("busy", "The broker is just starting or stopping; try again");
        }
        String scope = project == null || project.isBlank() ? null : Text.limited("project", project, 1_000);
        List<Recruit> recruits = new ArrayList<>(1);
        reviewers.enlist(now -> {
            refuseIfNotNow(now, own);
            recruits.clear();
            recruits.add(recruit(scope, own));
            return List.of(recruits.getFirst().reviewer());
        });
        String id = recruits.getFirst().reviewer().id();
        launch(recruits.getFirst()).ifPresent(trouble -> {
            throw new RefusedException("bad_state", "Failed to spawn reviewer: " + trouble);
        });
        return reviewers.find(id).orElseThrow();
    }

    private void refuseIfNotNow(PoolSituation now, String own) {
        Optional.ofNullable(now.lastSpawn())
                .map(last -> Duration.between(now.now(), last.plus(rules.cooldown())))
                .filter(Duration::isPositive)
                .ifPresent(left -> {
                    throw new RefusedException(
                            "busy", "Spawn cooldown active", Map.of("retry_after_seconds", left.toMillis() / 1000.0));
                });
        if (scaler.room(now, own) == 0) {
            throw new RefusedException("busy", "Reviewer pool cap reached", Map.of("max_pool_size", rules.most()));
        }
        scaler.spent(now).ifPresent(spent -> {
            throw new RefusedException("busy", "Not started: " + spent + " (reviewer_pool.limits)");
        });
    }

    /** What became of a wish to end a reviewer. */
    public record Killed(PoolReviewer reviewer, long remainingClaims) {}

    /**
     * Ends one: when it has done what it has claimed, or at once.
     *
     * @throws RefusedException when there is no such reviewer
     */
    public Killed kill(String id, boolean force) {
        PoolReviewer reviewer = reviewers
                .find(id)
                .orElseThrow(() -> new RefusedException("not_found", "Unknown broker-managed reviewer_id: " + id));
        boolean changed = force ? reviewers.force(id) : reviewers.drain(id, "manual");
        if (changed) {
            LOG.info("{} is to end{}", id, force ? " at once" : "");
        }
        Running one = running.get(id);
        if (one != null) {
            if (force) {
                end(id, "force");
            }
            if (force || claims(id) == 0) {
                routine.nudge();
                await(one.over, KILL_IS_QUICK);
            }
        }
        return new Killed(reviewers.find(id).orElse(reviewer), claims(id));
    }

    private long claims(String id) {
        return reviewers.situation().reviewers().stream()
                .filter(live -> live.reviewer().id().equals(id))
                .mapToLong(PoolSituation.Live::claims)
                .sum();
    }

    /** Those of this run, the ended ones too, and the living ones of other brokers. */
    public List<PoolReviewer> list() {
        List<PoolReviewer> all = new ArrayList<>(reviewers.ofSession(session));
        reviewers.live().stream()
                .filter(reviewer -> !reviewer.session().equals(session))
                .forEach(all::add);
        return all;
    }

    /** How the pool stands, and why it does not grow; null: nothing holds it back. */
    public record Standing(
            PoolSituation situation, @Nullable String heldBack) {}

    public Standing standing() {
        return new Standing(reviewers.situation(), heldBack);
    }

    /** @param ended there are no more records, and there will be none */
    public record Said(List<JsonNode> records, boolean ended) {}

    /**
     * What a reviewer said and what became of it, after this record, waiting for more if there is none.
     *
     * @throws RefusedException when there is no such reviewer
     */
    public Said log(String id, long after, int most, Duration patience) {
        if (reviewers.find(id).isEmpty()) {
            throw new RefusedException("not_found", "Unknown broker-managed reviewer_id: " + id);
        }
        try {
            Running one = running.get(id);
            if (one != null) {
                one.log.await(after, patience);
            }
            List<JsonNode> records = ReviewerLog.read(around.logs(), id, after, most);
            return new Said(records, one == null && records.isEmpty());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Said(List.of(), false);
        } catch (IOException e) {
            throw new RefusedException("busy", "The log of " + id + " cannot be read: " + e.getMessage());
        }
    }

    private static void await(CompletableFuture<?> future, Duration patience) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // then it takes longer
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends them all at once, and waits for it. */
    @Override
    public void close() {
        closing = true;
        around.tail().unwatch(nudge);
        routine.close();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        running.values().forEach(one -> {
            ends.add(one.over);
            ask(one, "shutdown", GRACE);
        });
        await(CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)), STOPPING);
    }
}
