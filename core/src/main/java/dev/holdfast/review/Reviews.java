package dev.holdfast.review;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.discussion.Discussion;
import dev.holdfast.review.figures.History;
import dev.holdfast.review.figures.ReviewRetention;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.figures.Tally;
import dev.holdfast.review.imports.Imports;
import dev.holdfast.review.proposal.CounterPatches;
import dev.holdfast.review.proposal.Proposals;
import dev.holdfast.review.queue.Fencing;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.OverdueReviews;
import dev.holdfast.review.queue.OwnershipSweep;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReservedReviews;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.queue.ReviewKindClaims;
import dev.holdfast.review.queue.ReviewReclaims;
import dev.holdfast.review.queue.ReviewWatch;
import dev.holdfast.review.queue.WaitingReviewers;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.ReadingState;
import dev.holdfast.review.reading.Receipts;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Reopening;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.Store;
import java.util.function.Supplier;

/**
 * Reviews on a store: one agent proposes, another reviews, round by round.
 *
 * <ol>
 *   <li>Each review is a claimable resource {@code review:<id>}: ready while it is pending, held while somebody reviews
 *       it, done once it has a verdict. That resource is the only record of whether a review is claimed.
 *   <li>A verdict needs the fence of its reviewer's claim. A late verdict, after a reclaim or a revision, is refused.
 *   <li>Only a reviewer that was shown all of the content can approve it.
 *   <li>All content that was ever under review is kept, with every verdict on it; approved content never changes.
 *   <li>Diffs are checked outside any transaction, and the result counts only for exactly the content that was checked.
 * </ol>
 */
public final class Reviews implements AutoCloseable {
    private final Proposals proposals;
    private final ReviewClaims claiming;
    private final ReviewReclaims reclaims;
    private final Verdicts verdicts;
    private final CounterPatches counterPatches;
    private final Discussion discussion;
    private final NextReview next;
    private final ReservedReviews reserved;
    private final ProposalReader reading;
    private final Receipts receipts;
    private final ReadingState readingState;
    private final ReviewWatch watch;
    private final WaitingReviewers line;
    private final OwnershipSweep ownership;
    private final OverdueReviews overdue;
    private final ReviewRetention retention;
    private final ReviewCatalogue catalogue;
    private final History history;
    private final Statistics statistics;
    private final Approvals approvals;
    private final Imports imports;

    /** Requires reading if it requires fences. */
    public Reviews(
            Store store,
            Claims claims,
            RequireFence requireFence,
            Reviewers reviewers,
            DiffCheck check,
            ReviewLimits limits,
            Supplier<String> ids) {
        this(
                store,
                claims,
                requireFence,
                requireFence == RequireFence.ALWAYS,
                ReviewerRules.DEFAULT,
                reviewers,
                check,
                limits,
                ids);
    }

    /**
     * @param requireReading only a reviewer that was shown all of the content can approve it
     * @param rules who may judge
     * @param ids generates the ids of reviews and messages; each must be new
     */
    public Reviews(
            Store store,
            Claims claims,
            RequireFence requireFence,
            boolean requireReading,
            ReviewerRules rules,
            Reviewers reviewers,
            DiffCheck check,
            ReviewLimits limits,
            Supplier<String> ids) {
        ReviewChanges changes = new ReviewChanges(store, claims.transactional(), ids);
        claims.transactional()
                .onTakenBack(
                        Kind.REVIEW,
                        (transaction, review, _) -> ReviewTable.touch(transaction, review.id(), transaction.now()));
        Independence independence = new Independence(rules);
        proposals = new Proposals(changes, check, independence, limits);
        claiming = new ReviewClaims(changes, claims.leases(), reviewers, check, independence);
        reclaims = new ReviewReclaims(changes, claims);
        receipts = new Receipts(changes, requireReading);
        verdicts = new Verdicts(
                changes, new Fencing(requireFence, reviewers), receipts, reviewers, check, limits, independence);
        Reopening reopening = new Reopening(changes, reviewers);
        counterPatches = new CounterPatches(changes, check, independence, reopening);
        discussion = new Discussion(changes, reopening, independence, limits);
        line = new WaitingReviewers(store, claims.tail(), WaitingReviewers.PAUSE);
        next = new NextReview(changes, claims, claiming, reviewers, check, independence, line);
        reserved = new ReservedReviews(changes, reviewers);
        reading = new ProposalReader(changes);
        readingState = new ReadingState(store);
        watch = new ReviewWatch(claims.tail());
        catalogue = new ReviewCatalogue(store, watch, line, reviewers);
        history = new History(store, claims.tail());
        approvals = new Approvals(changes, limits, independence);
        ownership = new OwnershipSweep(changes, claims, reclaims, reviewers, ReadingState::opened);
        overdue = new OverdueReviews(changes, claims, reclaims);
        Tally tally = new Tally(store, claims.tail());
        statistics = new Statistics(store, tally);
        retention = new ReviewRetention(changes, tally);
        imports = new Imports(changes, limits, independence);
    }

    /** Uses all defaults: fences and reading are required, diffs are not checked, and no reviewers are known. */
    public static Reviews over(Store store, Claims claims) {
        return new Reviews(
                store,
                claims,
                RequireFence.ALWAYS,
                Reviewers.UNKNOWN,
                DiffCheck.NONE,
                ReviewLimits.DEFAULT,
                new NearbyIds());
    }

    public Proposals proposals() {
        return proposals;
    }

    public ReviewClaims claiming() {
        return claiming;
    }

    public ReviewReclaims reclaims() {
        return reclaims;
    }

    public Verdicts verdicts() {
        return verdicts;
    }

    public CounterPatches counterPatches() {
        return counterPatches;
    }

    public Discussion discussion() {
        return discussion;
    }

    public NextReview next() {
        return next;
    }

    public ReservedReviews reserved() {
        return reserved;
    }

    public ProposalReader reading() {
        return reading;
    }

    /** For every interface that shows content to somebody. */
    public Receipts receipts() {
        return receipts;
    }

    /** What people keep while they read a review. */
    public ReadingState readingState() {
        return readingState;
    }

    public ReviewCatalogue catalogue() {
        return catalogue;
    }

    public History history() {
        return history;
    }

    public Statistics statistics() {
        return statistics;
    }

    public Approvals approvals() {
        return approvals;
    }

    /** As {@link #kindClaims(Caller)}, for an unknown caller. */
    public KindClaims kindClaims() {
        return kindClaims(Caller.UNKNOWN);
    }

    /** For callers that name a review {@code review:<id>}, like any other resource. */
    public KindClaims kindClaims(Caller caller) {
        return new ReviewKindClaims(claiming, next, watch, caller);
    }

    /** For the time right after a start. */
    public OwnershipSweep ownership() {
        return ownership;
    }

    /** For reviewers that hold a review and never judge it. */
    public OverdueReviews overdue() {
        return overdue;
    }

    public ReviewRetention retention() {
        return retention;
    }

    public Imports imports() {
        return imports;
    }

    /** How many callers wait for something to review without claiming it. */
    int waiting() {
        return line.waiting();
    }

    /** Answers everybody who waits with what there is. */
    @Override
    public void close() {
        line.close();
        watch.close();
    }
}
