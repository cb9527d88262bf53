package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.NewReviewers.NewReviewer;
import dev.holdfast.broker.pool.Scaler.Decisions;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.store.BadRows;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains one broker's reviewers: takes stock, lets {@link Scaler} decide, and carries out its decisions. */
final class PoolMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(PoolMaintenance.class);

    private final PoolReviewers reviewers;
    private final Scaler scaler;
    private final Launcher launcher;
    private final NewReviewers newReviewers;
    private final RunningReviewers running;
    private final ReviewerExits exits;
    private final BiConsumer<Long, Long> meters;
    private final BadRows bad = new BadRows(LOG, "drain");
    private volatile @Nullable String heldBack;

    /** @param meters receives the numbers of active and draining reviewers */
    PoolMaintenance(
            PoolReviewers reviewers,
            Scaler scaler,
            Launcher launcher,
            NewReviewers newReviewers,
            RunningReviewers running,
            ReviewerExits exits,
            BiConsumer<Long, Long> meters) {
        this.reviewers = reviewers;
        this.scaler = scaler;
        this.launcher = launcher;
        this.newReviewers = newReviewers;
        this.running = running;
        this.exits = exits;
        this.meters = meters;
    }

    /** Why no more reviewers are started although more are needed; null: nothing prevents it. */
    @Nullable
    String heldBack() {
        return heldBack;
    }

    /**
     * Does whatever is due now.
     *
     * @param own the name under which this broker claims its own identity
     * @param mcp where new reviewers reach the broker; null: start none
     * @return the time until the next action is due; empty: nothing is due until an event arrives
     */
    Optional<Duration> look(String own, @Nullable URI mcp) {
        exits.retry();
        PoolSituation now = reviewers.situation();
        updateMeters(now, own);
        endDisowned(now);
        ProjectLocations locations = ProjectLocations.of(now, launcher);
        Decisions decisions = scaler.decide(locations.group(now), own);
        decisions.ends().forEach(end -> running.end(end.reviewer(), end.reason()));
        decisions
                .drains()
                .forEach(drain -> bad.attempt(drain.reviewer(), () -> drain(drain.reviewer(), drain.reason())));
        String reason = decisions.heldBack();
        if (!decisions.starts().isEmpty() && mcp != null) {
            reason = launcher.trouble().orElse(null);
            if (reason == null) {
                decisions = startMore(locations, own, mcp).orElse(decisions);
                reason = decisions.heldBack();
            }
        }
        logHeldBack(reason, now);
        return Optional.ofNullable(decisions.lookAgain())
                .map(at -> Duration.between(now.now(), at).plusMillis(1));
    }

    private void updateMeters(PoolSituation now, String own) {
        List<State> states = now.reviewers().stream()
                .map(PoolSituation.Live::reviewer)
                .filter(reviewer -> reviewer.broker().equals(own))
                .map(PoolReviewer::state)
                .toList();
        long active = states.stream().filter(State.ACTIVE::equals).count();
        meters.accept(active, states.size() - active);
    }

    /** Ends reviewers that another broker terminated because it thought this one dead: their calls would be refused. */
    private void endDisowned(PoolSituation now) {
        Set<String> live =
                now.reviewers().stream().map(one -> one.reviewer().id()).collect(Collectors.toSet());
        running.ids().stream()
                .filter(id -> !live.contains(id))
                .filter(id ->
                        reviewers.find(id).filter(row -> row.ended() != null).isPresent())
                .forEach(id -> running.disown(id, "disowned"));
    }

    private boolean drain(String id, String reason) {
        boolean drained = reviewers.drain(id, reason);
        if (drained) {
            LOG.info("draining {}: {}", id, reason);
        }
        return drained;
    }

    /** Decides again, this time as the only broker doing so. */
    private Optional<Decisions> startMore(ProjectLocations locations, String own, URI mcp) {
        List<NewReviewer> enlisted = new ArrayList<>();
        List<Decisions> decided = new ArrayList<>();
        reviewers.enlist(now -> {
            enlisted.clear();
            Decisions decisions = scaler.decide(locations.group(now), own);
            decided.add(decisions);
            decisions.starts().forEach(start -> enlisted.add(newReviewers.next(locations.of(start.project()), own)));
            return enlisted.stream().map(NewReviewer::reviewer).toList();
        });
        enlisted.forEach(created -> running.launch(created, mcp));
        return decided.isEmpty() ? Optional.empty() : Optional.of(decided.getLast());
    }

    private void logHeldBack(@Nullable String reason, PoolSituation now) {
        if (reason != null && !reason.equals(heldBack)) {
            String output = now.crashes().lastOutput();
            LOG.info(
                    "not starting more reviewers for now: {}{}",
                    reason,
                    output == null ? "" : "; last output: " + output);
        }
        heldBack = reason;
    }
}
