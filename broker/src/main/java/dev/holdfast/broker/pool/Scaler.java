package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.SpawnLimits.Pause;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.pool.PoolSituation.Live;
import dev.holdfast.review.pool.PoolSituation.Pending;
import dev.holdfast.review.record.Project;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which reviewers to start, drain and end. It depends only on the given situation: the same situation always
 * gives the same decisions.
 *
 * <ol>
 *   <li>A folder whose projects have pending reviews needs one reviewer per {@code ratio} reviews. Reviewers bound to
 *       it count first, then unbound ones. Where reviewers are bound to projects, the same holds for a project.
 *   <li>Busy reviewers do not help: a review that has waited for a minute while nobody was free needs one more.
 *   <li>There are never more processes than the cap, including those that are ending. The folder that has waited
 *       longest is served first, and a reviewer that idles where nothing is pending makes room.
 *   <li>Each round of starts is followed by a pause. Reviewers that end without having reviewed anything double it each
 *       time.
 *   <li>Idle and old reviewers are drained: they get nothing new, and end with their last claim or when that takes too
 *       long.
 * </ol>
 */
public final class Scaler {
    static final Duration LONG_WAIT = Duration.ofMinutes(1);

    private final Scaling rules;
    private final SpawnLimits allowance;

    public Scaler(Scaling rules) {
        this.rules = rules;
        allowance = new SpawnLimits(rules);
    }

    /** Start a reviewer for this project; null: for reviews without a project. */
    public record Start(@Nullable String project) {}

    /** Give this reviewer nothing new, for this reason. */
    public record Drain(String reviewer, String reason) {}

    /** End this reviewer, whatever it holds, for this reason. */
    public record End(String reviewer, String reason) {}

    /**
     * What to do now.
     *
     * @param heldBack why no more are started although more are needed; null: nothing prevents it
     * @param lookAgain when to decide again if no event arrives before; null: no need to
     */
    public record Decisions(
            List<Start> starts,
            List<Drain> drains,
            List<End> ends,
            @Nullable String heldBack,
            @Nullable Instant lookAgain) {}

    /** @param own the deciding broker, which drains and ends only its own reviewers */
    public Decisions decide(PoolSituation now, String own) {
        return new Round(now, own).decide();
    }

    /** The decisions for one situation. */
    private final class Round {
        private final PoolSituation now;
        private final String own;
        private final List<Start> starts = new ArrayList<>();
        private final List<Drain> drains = new ArrayList<>();
        private final List<End> ends = new ArrayList<>();
        private @Nullable String heldBack;
        private @Nullable Instant lookAgain;

        Round(PoolSituation now, String own) {
            this.now = now;
            this.own = own;
        }

        Decisions decide() {
            List<Live> staying = new ArrayList<>();
            for (Live live : now.reviewers()) {
                boolean mine = live.reviewer().broker().equals(own);
                if (live.reviewer().state() == State.ACTIVE && !(mine && leaves(live))) {
                    staying.add(live);
                } else if (live.reviewer().state() == State.DRAINING && mine) {
                    endIfOverdue(live);
                }
            }
            start(staying);
            return new Decisions(List.copyOf(starts), List.copyOf(drains), List.copyOf(ends), heldBack, lookAgain);
        }

        private boolean leaves(Live live) {
            PoolReviewer reviewer = live.reviewer();
            Instant contact = reviewer.contactAt();
            if (live.lost()) {
                ends.add(new End(reviewer.id(), "claim_timeout"));
            } else if (contact == null && due(reviewer.spawnedAt(), rules.start())) {
                ends.add(new End(reviewer.id(), "hung"));
            } else if (due(reviewer.spawnedAt(), rules.ttl())) {
                drains.add(new Drain(reviewer.id(), "ttl"));
            } else if (contact != null
                    && live.claims() == 0
                    && due(later(contact, reviewer.lastActiveAt()), rules.idle())) {
                boolean wanted =
                        reviewer.claims() == 0 && now.pending().stream().anyMatch(p -> serves(reviewer, p));
                drains.add(new Drain(reviewer.id(), wanted ? "never_claimed" : "idle"));
            } else if (live.claims() == 0 && allowance.reviewsAreSpent(now)) {
                drains.add(new Drain(reviewer.id(), "limit"));
            } else {
                return false;
            }
            return true;
        }

        private void endIfOverdue(Live live) {
            PoolReviewer reviewer = live.reviewer();
            PoolReviewer.Draining draining = Objects.requireNonNull(reviewer.draining());
            if (live.claims() == 0 || draining.reason().equals("force")) {
                ends.add(new End(reviewer.id(), draining.reason()));
            } else if (due(draining.since(), rules.claimTimeout())) {
                ends.add(new End(reviewer.id(), "overdue"));
            }
        }

        /** Whether this much time has passed; if not, schedules another look for when it has. */
        private boolean due(Instant since, Duration time) {
            Instant at = since.plus(time);
            if (!at.isAfter(now.now())) {
                return true;
            }
            checkAgainAt(at);
            return false;
        }

        private void checkAgainAt(Instant at) {
            if (lookAgain == null || at.isBefore(lookAgain)) {
                lookAgain = at;
            }
        }

        private void start(List<Live> staying) {
            Map<Pending, Long> needs = needs(staying);
            if (needs.isEmpty()) {
                return;
            }
            Optional<String> spent = allowance.spent(now);
            Optional<Pause> pause = allowance.pause(now);
            int room = allowance.room(now, own);
            if (spent.isPresent()) {
                heldBack = spent.get();
            } else if (pause.isPresent()) {
                heldBack = pause.get().reason();
                checkAgainAt(pause.get().until());
            } else if (room == 0) {
                heldBack = "all " + rules.max() + " reviewers are running";
                makeRoom(needs, staying);
            } else {
                share(needs, room);
            }
        }

        /** How many more reviewers each folder or project needs, the one that has waited longest first. */
        private Map<Pending, Long> needs(List<Live> staying) {
            Map<Pending, Long> needs = new LinkedHashMap<>();
            long anywhere =
                    staying.stream().filter(live -> !bound(live.reviewer())).count();
            for (Pending pending : now.pending().stream()
                    .sorted(Comparator.comparing(Pending::oldestSince))
                    .toList()) {
                long wanted = (long) Math.ceil(pending.count() / rules.ratio());
                long only = staying.stream()
                        .filter(live -> bound(live.reviewer()) && serves(live.reviewer(), pending))
                        .count();
                long shared = Math.min(anywhere, Math.max(0, wanted - only));
                anywhere -= shared;
                long need = Math.max(0, wanted - only - shared);
                if (need == 0
                        && due(pending.oldestSince(), LONG_WAIT)
                        && staying.stream().noneMatch(live -> live.claims() == 0 && serves(live.reviewer(), pending))) {
                    need = 1;
                }
                if (need > 0) {
                    needs.put(pending, need);
                }
            }
            return needs;
        }

        /** Gives one reviewer to each in turn while there is room. */
        private void share(Map<Pending, Long> needs, int room) {
            long max = rules.spawnsPerDay() == null ? room : Math.min(room, rules.spawnsPerDay() - now.spawnsInADay());
            long wanted = needs.values().stream().mapToLong(Long::longValue).sum();
            for (long round = 1; starts.size() < Math.min(max, wanted); round++) {
                for (Map.Entry<Pending, Long> need : needs.entrySet()) {
                    if (need.getValue() >= round && starts.size() < max) {
                        starts.add(new Start(
                                need.getKey().key().isEmpty()
                                        ? null
                                        : need.getKey().project()));
                    }
                }
            }
            if (starts.size() < wanted) {
                heldBack = "all " + rules.max() + " reviewers are running";
            }
        }

        /** Drains a reviewer that idles where nothing is pending, in favour of work that has waited too long. */
        private void makeRoom(Map<Pending, Long> needs, List<Live> staying) {
            boolean tooLong = needs.keySet().stream().anyMatch(pending -> due(pending.oldestSince(), LONG_WAIT));
            if (tooLong && drains.isEmpty() && ends.isEmpty()) {
                staying.stream()
                        .filter(live -> live.reviewer().broker().equals(own) && live.claims() == 0)
                        .filter(live -> now.pending().stream().noneMatch(p -> serves(live.reviewer(), p)))
                        .min(Comparator.comparing(live -> live.reviewer().lastActiveAt()))
                        .ifPresent(live -> drains.add(new Drain(live.reviewer().id(), "room")));
            }
        }
    }

    private static boolean bound(PoolReviewer reviewer) {
        return reviewer.project() != null || reviewer.folder() != null;
    }

    private static boolean serves(PoolReviewer reviewer, Pending pending) {
        return reviewer.folder() != null
                ? reviewer.folder().equals(pending.folder())
                : reviewer.project() == null || Project.key(reviewer.project()).equals(pending.key());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
