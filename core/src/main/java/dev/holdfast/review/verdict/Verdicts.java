package dev.holdfast.review.verdict;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.finding.AnchoredFindings;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.finding.Findings;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.queue.Fencing;
import dev.holdfast.review.reading.ReadProgress;
import dev.holdfast.review.reading.Receipts;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.record.Transitions;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What reviewers say: verdicts, which end their claim, and comments, which do not. */
public record Verdicts(
        ReviewChanges changes,
        Fencing fencing,
        Receipts receipts,
        Reviewers reviewers,
        DiffCheck check,
        ReviewLimits limits,
        Independence independence) {
    /**
     * @param fence reviewer, generation, or both, as returned by the claim
     * @param revision the content that was judged; null: the content last shown under this grant
     */
    public record Submission(
            String verdict,
            @Nullable String reason,
            @Nullable String counterPatch,
            Fence fence,
            @Nullable String revision,
            Remarks remarks) {
        public static Submission of(String verdict, @Nullable String reason, Fence fence) {
            return new Submission(verdict, reason, null, fence, null, Remarks.NONE);
        }

        public Submission counterPatch(@Nullable String diff) {
            return new Submission(verdict, reason, diff, fence, revision, remarks);
        }

        public Submission revision(@Nullable String judged) {
            return new Submission(verdict, reason, counterPatch, fence, judged, remarks);
        }

        public Submission remarks(Remarks said) {
            return new Submission(verdict, reason, counterPatch, fence, revision, said);
        }

        boolean comment() {
            return verdict.equals(Verdict.COMMENT);
        }
    }

    /**
     * @param findings ids of the findings that it raised, in the order given
     * @param replayed the same verdict had already been given; nothing changed
     */
    public record Submitted(
            String reviewId,
            ReviewStatus status,
            String verdict,
            @Nullable String reason,
            boolean hasCounterPatch,
            String revision,
            List<String> findings,
            boolean replayed) {}

    public Submitted submit(String id, Submission asked, Caller caller) {
        String reason = asked.reason() == null ? null : asked.reason().strip();
        Submission given = new Submission(
                asked.verdict(), reason, asked.counterPatch(), asked.fence(), asked.revision(), asked.remarks());
        VerdictCheck verdictCheck = new VerdictCheck(changes, check, limits);
        verdictCheck.words(given);
        Optional<Content> counterPatch = verdictCheck.counterPatch(id, given);
        Optional<AnchoredFindings> anchored = new Findings(changes).point(id, given.remarks());
        if (given.comment()) {
            return changes.on(id, locked -> comment(locked, given, caller, counterPatch.orElse(null), anchored));
        }
        ReviewStatus target = switch (given.verdict()) {
            case Verdict.APPROVED -> ReviewStatus.APPROVED;
            case Verdict.CHANGES_REQUESTED -> ReviewStatus.CHANGES_REQUESTED;
            default ->
                throw new RefusedException(
                        RefusalCode.INVALID,
                        "Invalid verdict: '" + given.verdict()
                                + "'. Must be 'approved', 'changes_requested', or 'comment'.");
        };
        return changes.on(id, locked -> judge(locked, given, caller, target, counterPatch.orElse(null), anchored));
    }

    private Submitted comment(
            ReviewChanges.Locked locked,
            Submission given,
            Caller caller,
            @Nullable Content counterPatch,
            Optional<AnchoredFindings> anchored)
            throws SQLException {
        ReviewStatus status = locked.status();
        if (!status.underReview()) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "Cannot comment on review in '" + status
                            + "' state. Comments are only valid on claimed or in_review reviews.");
        }
        fencing.check(locked, given.fence());
        if (anchored.isPresent()) {
            Fencing.checkRevision(locked, given.revision());
        }
        ReviewerIdentity judge = independence.judge(locked.transaction(), caller, speaker(locked, given));
        if (counterPatch != null || given.remarks().settles()) {
            independence.check(locked.transaction(), locked.review(), judge, "settle findings or suggest changes here");
        }
        List<String> raised = new Findings(changes).apply(locked, given.remarks(), anchored, speaker(locked, given));
        String holder = locked.claimState().holder();
        if (holder != null) {
            reviewers.spoke(locked.transaction(), holder);
        }
        locked.review().verdictReason = given.reason();
        add(locked, given, counterPatch, null, judge);
        changes.record(locked, VerdictEvents.comment(locked, given, counterPatch != null, raised));
        return said(locked, given, status, counterPatch != null, raised);
    }

    private Submitted judge(
            ReviewChanges.Locked locked,
            Submission given,
            Caller caller,
            ReviewStatus target,
            @Nullable Content counterPatch,
            Optional<AnchoredFindings> anchored)
            throws SQLException {
        Optional<Submitted> before = VerdictReplay.of(locked, given, counterPatch);
        if (before.isPresent()) {
            return before.get();
        }
        // everything that the rest needs, in one round trip
        Pending<ReviewerIdentity> asked =
                independence.askIdentity(locked.transaction(), caller, speaker(locked, given));
        Pending<List<Proposer>> proposers = ProposerTable.ask(locked.transaction(), locked.review().id);
        Pending<ReadProgress> reading = receipts.askReadSoFar(locked, speaker(locked, given));
        Pending<List<Finding>> known = Findings.ask(locked);
        fencing.check(locked, given.fence());
        ReviewStatus status = locked.status();
        Transitions.check(status, target, Transitions.By.REVIEWER);
        ReviewerIdentity judge = asked.get();
        independence.check(proposers.get(), locked.review(), judge, "judge this review");
        Fencing.checkRevision(locked, given.revision());
        ReadProgress read = reading.get();
        if (target == ReviewStatus.APPROVED) {
            receipts.checkApproval(read);
        }
        List<String> raised = new Findings(changes).apply(locked, given.remarks(), anchored, speaker(locked, given));
        if (target == ReviewStatus.APPROVED) {
            Findings.checkNoneBlocks(
                    given.remarks().equals(Remarks.NONE)
                            ? known.get()
                            : Findings.ask(locked).get());
        }
        ReviewRow review = locked.review();
        review.stored = target;
        review.verdictReason = given.reason();
        review.verdictBy = speaker(locked, given);
        review.reservedFor = null;
        review.unservedGeneration = null;
        add(locked, given, counterPatch, read.all(), judge);
        DomainEvent event = VerdictEvents.judged(
                locked, given, new VerdictEvents.Outcome(status, target, judge, read), counterPatch != null, raised);
        Claim claim = locked.claimState().claim();
        if (claim == null) {
            changes.record(locked, event);
        } else {
            Duration took = Duration.between(claim.claimedAt(), LeaseClock.instant(locked.now()));
            reviewers.judged(locked.transaction(), claim.holder(), target == ReviewStatus.APPROVED, took);
            changes.transactional()
                    .end(
                            locked.transaction(),
                            locked.claimState(),
                            Ending.completed(given.verdict(), String.valueOf(given.reason())),
                            event);
        }
        return said(locked, given, target, counterPatch != null, raised);
    }

    private void add(
            ReviewChanges.Locked locked,
            Submission given,
            @Nullable Content counterPatch,
            @Nullable Boolean readAll,
            ReviewerIdentity judge)
            throws SQLException {
        Claim claim = locked.claimState().claim();
        VerdictTable.add(
                locked.transaction(),
                locked.review(),
                given.verdict(),
                given.reason(),
                speaker(locked, given),
                claim == null ? null : claim.generation(),
                counterPatch,
                readAll,
                judge,
                locked.now());
        locked.save();
    }

    /** Whoever holds the claim or, if nobody does, whoever the caller says it is. */
    static @Nullable String speaker(ReviewChanges.Locked locked, Submission given) {
        String holder = locked.claimState().holder();
        return holder == null ? given.fence().holder() : holder;
    }

    private static Submitted said(
            ReviewChanges.Locked locked,
            Submission given,
            ReviewStatus status,
            boolean hasCounterPatch,
            List<String> raised) {
        return new Submitted(
                locked.review().id,
                status,
                given.verdict(),
                given.reason(),
                hasCounterPatch,
                locked.review().revision,
                raised,
                false);
    }
}
