package dev.holdfast.review.queue;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.store.Sql;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Claims the best pending review in one step: first one reserved for this reviewer, then the most urgent, then the
 * oldest.
 */
public record NextReview(
        ReviewChanges changes,
        Claims claims,
        ReviewClaims claiming,
        Reviewers reviewers,
        DiffCheck check,
        Independence independence,
        WaitingReviewers line) {
    private static final Sql KEPT = Sql.of("""
            SELECT v.id FROM reviews v""" + ClaimSql.join(Kind.REVIEW, "v.id", "r") + """
            WHERE v.reserved_for = :reviewer AND v.status = 'pending' AND r.state = 'ready' ORDER BY v.priority, v.seq
            """);

    private static final Sql MARKED = Sql.of("""
            SELECT r.id FROM""" + ClaimSql.offered(Kind.REVIEW, "r") + """
            WHERE r.labels LIKE :mark AND (CAST(:queue AS text) IS NULL OR r.queue = :queue) LIMIT 1
            """);

    /**
     * A review reserved for a reviewer is announced to nobody, not even to that reviewer, so a waiting reviewer looks
     * for it itself.
     */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    /**
     * Matches no review, because none has two categories: a reviewer only gets back a grant whose answer was lost, and
     * nothing new.
     */
    private static final Filter WHAT_IT_HAS = new Filter(null, Set.of("one label", "and another"));

    /** A request for the next review. */
    public record Request(
            String reviewer,
            @Nullable String project,
            @Nullable String category,
            @Nullable Duration ttl,
            @Nullable String requestId,
            Duration patience) {}

    /** Skips reviews that the reviewer may not judge. Empty if there is nothing to review, even after waiting. */
    public Optional<Granted> claim(Request asked, Caller caller) {
        Optional<Reviewers.Managed> managed =
                changes.store().read(transaction -> reviewers.managed(transaction, asked.reviewer()));
        ReviewerIdentity judge =
                changes.store().read(transaction -> independence.judge(transaction, caller, asked.reviewer()));
        independence.checkRules(judge, "claim reviews");
        managed.ifPresent(reviewer -> ReviewerScope.checkActive(reviewer, asked.reviewer()));
        String scope = managed.map(Reviewers.Managed::project).orElse(null);
        String folder = managed.map(Reviewers.Managed::folder).orElse(null);
        String project = asked.project() == null ? scope : asked.project();
        if (managed.isPresent() && project != null) {
            ReviewerScope.checkProject(managed.get(), asked.reviewer(), project);
        }
        long deadline = System.nanoTime() + asked.patience().toNanos();
        while (true) {
            Optional<Granted> kept = keptFor(asked, caller);
            if (kept.isPresent()) {
                return kept;
            }
            long lookAgain = Math.min(deadline, System.nanoTime() + LOOK_AGAIN.toNanos());
            Optional<Granted> next = folder == null
                    ? next(asked, judge, project, managed.isPresent(), lookAgain)
                    : nextOf(folder, asked, judge, lookAgain);
            // back early with nothing: waiting has been stopped
            if (next.isPresent() || deadline - lookAgain <= 0 || lookAgain - System.nanoTime() > 0) {
                return next;
            }
        }
    }

    /** Why a reviewer that got nothing was not given a waiting review. Empty if it may judge everything that waits. */
    public Optional<String> whyNot(Request asked, Caller caller) {
        return changes.store().read(transaction -> {
            ReviewerIdentity judge = independence.judge(transaction, caller, asked.reviewer());
            String queue = asked.project() == null ? null : Project.key(asked.project());
            for (String mark : independence.passedOver(judge)) {
                Optional<String> id = transaction.first(
                        MARKED,
                        p -> p.text("mark", Independence.pattern(mark)).text("queue", queue),
                        row -> row.text("id"));
                if (id.isPresent()) {
                    ReviewRow review = ReviewTable.find(transaction, id.get()).orElseThrow();
                    return independence.refusal(transaction, review, judge, "claim review " + review.id);
                }
            }
            return Optional.empty();
        });
    }

    private Optional<Granted> keptFor(Request asked, Caller caller) {
        for (String id : kept(asked.reviewer())) {
            try {
                if (claiming.claim(id, asked.reviewer(), asked.ttl(), asked.requestId(), caller)
                        instanceof Granted granted) {
                    return Optional.of(granted);
                }
            } catch (RefusedException _) {
                // it was claimed or revised meanwhile; there may be others
            }
        }
        return Optional.empty();
    }

    /**
     * The best review of all projects whose files are in this folder. The projects are looked up each time: a project's
     * folder may change while a reviewer waits.
     */
    private Optional<Granted> nextOf(String folder, Request asked, ReviewerIdentity judge, long deadline) {
        String wanted = asked.project() == null ? null : Project.key(asked.project());
        if (wanted != null) {
            ReviewerScope.checkFolder(folder, asked.reviewer(), asked.project(), reviewers.folder(wanted));
        }
        Set<String> elsewhere = ConcurrentHashMap.newKeySet();
        return line.await(
                pending -> (asked.category() == null || asked.category().equals(pending.category()))
                        && (wanted == null || wanted.equals(pending.project()))
                        && !elsewhere.contains(pending.project()),
                Duration.ofNanos(Math.max(0, deadline - System.nanoTime())),
                () -> inFolder(folder, wanted, asked, judge, elsewhere),
                Optional::isPresent);
    }

    /** @param elsewhere collects the projects that turn out to belong to other folders */
    private Optional<Granted> inFolder(
            String folder, @Nullable String wanted, Request asked, ReviewerIdentity judge, Set<String> elsewhere) {
        if (!claims.held(Kind.REVIEW, asked.reviewer(), null).isEmpty()) {
            Optional<Granted> again = next(asked, judge, WHAT_IT_HAS, true, System.nanoTime());
            if (again.isPresent()) {
                return again;
            }
        }
        for (String queue : claims.queues(Kind.REVIEW, labels(asked))) {
            if (wanted != null && !wanted.equals(queue)) {
                continue;
            }
            if (!folder.equals(reviewers.folder(queue))) {
                elsewhere.add(queue);
                continue;
            }
            Optional<Granted> next = next(asked, judge, filter(queue, asked, judge), true, System.nanoTime());
            if (next.isPresent()) {
                return next;
            } // others were faster
        }
        return Optional.empty();
    }

    private static Set<String> labels(Request asked) {
        return asked.category() == null ? Set.of() : Set.of(asked.category());
    }

    private Filter filter(@Nullable String queue, Request asked, ReviewerIdentity judge) {
        return new Filter(queue, labels(asked), independence.passedOver(judge));
    }

    private Optional<Granted> next(
            Request asked, ReviewerIdentity judge, @Nullable String project, boolean managed, long deadline) {
        return next(
                asked, judge, filter(project == null ? null : Project.key(project), asked, judge), managed, deadline);
    }

    private Optional<Granted> next(
            Request asked, ReviewerIdentity judge, Filter filter, boolean managed, long deadline) {
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            switch (claims.claimNext(
                    new NextRequest(Kind.REVIEW, filter, asked.reviewer(), asked.ttl(), asked.requestId(), left))) {
                case ClaimOutcome.Granted fresh -> {
                    Optional<Granted> granted =
                            claims.runBeforeDelivery(fresh, () -> ifStillAllowed(fresh, judge, managed));
                    if (granted.isPresent()) {
                        return granted;
                    }
                }
                case ClaimOutcome.AlreadyHeld again -> {
                    Optional<Granted> granted = ifItApplies(
                            again.claim(), judge, (review, revision) -> Granted.again(again, review, revision));
                    if (granted.isPresent()) {
                        return granted;
                    }
                }
                case ClaimOutcome.Nothing _ -> {
                    return Optional.empty();
                }
                case Refusal refusal -> throw RefusedException.of(refusal);
            }
        }
    }

    private Optional<Granted> ifStillAllowed(ClaimOutcome.Granted fresh, ReviewerIdentity judge, boolean managed) {
        Optional<Granted> granted =
                ifItApplies(fresh.claim(), judge, (review, revision) -> Granted.of(fresh, review, revision));
        if (managed && granted.isPresent()) {
            checkStillActive(fresh.claim());
        }
        return granted;
    }

    /** It may have been drained or terminated while it waited; then the review is no longer for it. */
    private void checkStillActive(Claim claim) {
        changes.store().write(transaction -> {
            Reviewers.Managed managed =
                    reviewers.managed(transaction, claim.holder()).orElseThrow();
            ReviewerScope.checkActive(managed, claim.holder());
            reviewers.claimed(transaction, claim.holder());
            return managed;
        });
    }

    /** Nobody should review a diff that does not apply: it is sent back, and the reviewer gets another review. */
    private Optional<Granted> ifItApplies(
            Claim claim, ReviewerIdentity judge, BiFunction<Review, Revision, Granted> grant) {
        String id = claim.resource().id();
        record Found(ReviewRow row, Review review, Revision revision, boolean another) {}
        Found found = changes.store().read(transaction -> {
            ReviewRow row = ReviewTable.find(transaction, id).orElseThrow();
            return new Found(
                    row,
                    ReviewTable.show(transaction, id).orElseThrow(),
                    RevisionTable.current(transaction, id),
                    independence.refusal(transaction, row, judge, "claim this").isPresent());
        });
        if (found.another()) { // it got another proposer while it was being granted
            claiming.release(id, claim.fence(), null);
            return Optional.empty();
        }
        Revision revision = found.revision();
        Optional<String> problem = revision.hasDiff() && !found.row().skipDiffValidation
                ? check.check(new DiffCheck.Request(
                                found.row().project,
                                revision.base(),
                                revision.content().diffText()))
                        .conflict()
                : Optional.empty();
        if (problem.isEmpty()) {
            return Optional.of(grant.apply(found.review(), revision));
        }
        changes.on(id, locked -> {
            Claim current = locked.claimState().claim();
            if (current != null
                    && current.fence().equals(claim.fence())
                    && locked.review().revision.equals(revision.revision())) {
                AutoRejection.of(changes, locked, problem.get());
            }
            return id;
        });
        return Optional.empty();
    }

    private List<String> kept(String reviewer) {
        return changes.store()
                .read(transaction -> transaction.list(KEPT, p -> p.text("reviewer", reviewer), row -> row.text("id")));
    }
}
