package dev.holdfast.review.proposal;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.finding.FindingCarryOver;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Reopening;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a proposer does with a change that a reviewer suggested instead. */
public record CounterPatches(ReviewChanges changes, DiffCheck check, Independence independence, Reopening reopening) {
    /**
     * Makes the counter-patch the round's next revision. The revision it replaces stays readable; approval needs a
     * verdict on the new one. Its author cannot accept it in the proposer's place, since it could then approve its own
     * change.
     *
     * @param revision of the counter-patch that was read; any other is refused. Null: accept any
     * @param reopen makes a review with changes requested pending again; otherwise the status stays
     * @return whether it was reopened
     */
    public boolean accept(String id, @Nullable String revision, Caller caller, boolean reopen) {
        record Pending(Review review, Verdict verdict, Revision revision) {}
        Pending pending = changes.store().read(transaction -> {
            Review review = ReviewTable.show(transaction, id).orElseThrow(() -> ReviewChanges.notFound(id));
            Verdict verdict = pending(
                    VerdictTable.counterPatch(transaction, id, review.round()).get(), revision, "accept");
            return new Pending(review, verdict, RevisionTable.current(transaction, id));
        });
        refuseIfSettled(pending.review().status());
        String patch = Objects.requireNonNull(pending.verdict().counterPatch());
        check.onTop(
                        new DiffCheck.Request(
                                pending.review().project(), pending.revision().base(), patch),
                        pending.revision().diff())
                .problem()
                .ifPresent(problem -> {
                    throw new RefusedException(
                            RefusalCode.INVALID,
                            "Counter-patch no longer applies cleanly",
                            Map.of("validation_error", problem));
                });
        return FindingCarryOver.with(
                changes.store(),
                id,
                patch,
                carryOver -> changes.on(id, locked -> accept(locked, pending.verdict(), carryOver, caller, reopen)));
    }

    private Optional<Boolean> accept(
            ReviewChanges.Locked locked, Verdict checked, FindingCarryOver carryOver, Caller caller, boolean reopen)
            throws SQLException {
        ReviewRow review = locked.review();
        Verdict verdict = pending(
                VerdictTable.counterPatch(locked.transaction(), review.id, review.round)
                        .get(),
                checked.counterPatchRevision(),
                "accept");
        refuseIfSettled(locked.status());
        if (verdict.id() != checked.id()) {
            throw new RefusedException(
                    RefusalCode.BUSY, "Another counter-patch arrived in the meantime; look at it and try again");
        }
        independence.checkDidNotSuggest(locked.transaction(), verdict, caller);
        independence.checkIsProposer(locked.transaction(), review, caller, "accept its counter-patch");
        if (!carryOver.note(locked, review.round)) {
            return Optional.empty();
        }
        Revision replaced = RevisionTable.current(locked.transaction(), review.id);
        Content content = replaced.content().withDiff(Objects.requireNonNull(verdict.counterPatch()));
        review.revision = content.revision();
        review.revisionNumber++;
        Claim claim = locked.claimState().claim();
        review.unservedGeneration = claim == null ? null : claim.generation();
        locked.save();
        RevisionTable.add(
                locked.transaction(),
                review.id,
                review.round,
                review.revisionNumber,
                content,
                replaced.base(),
                "counter_patch",
                locked.now());
        VerdictTable.decide(locked.transaction(), review.id, verdict.id(), CounterPatchStatus.ACCEPTED);
        appendEvent(locked, "counter_patch_accepted", caller);
        boolean again = reopen && locked.status() == ReviewStatus.CHANGES_REQUESTED;
        if (again) {
            reopening.reopen(locked, "counter_patch_accepted", caller.name());
            locked.save();
        }
        return Optional.of(again);
    }

    /** @param revision of the counter-patch that was read; any other is refused. Null: reject any */
    public void reject(String id, @Nullable String revision, Caller caller) {
        changes.on(id, locked -> {
            independence.checkIsProposer(locked.transaction(), locked.review(), caller, "reject its counter-patch");
            Verdict verdict = pending(
                    VerdictTable.counterPatch(locked.transaction(), id, locked.review().round)
                            .get(),
                    revision,
                    "reject");
            VerdictTable.decide(locked.transaction(), id, verdict.id(), CounterPatchStatus.REJECTED);
            locked.save();
            appendEvent(locked, "counter_patch_rejected", caller);
            return verdict;
        });
    }

    private void appendEvent(ReviewChanges.Locked locked, String type, Caller by) throws SQLException {
        ReviewStatus status = locked.status();
        Map<String, @Nullable Object> metadata = Metadata.of("revision", locked.review().revision);
        if (by.name() != null) {
            metadata.put("proposer", by.name());
        }
        changes.record(locked, ReviewChanges.event(type, "proposer", status, status, metadata));
    }

    private static Verdict pending(Optional<Verdict> last, @Nullable String revision, String what) {
        Verdict verdict = last.filter(Verdict::counterPatchPending)
                .orElseThrow(() -> new RefusedException(RefusalCode.BAD_STATE, "No pending counter-patch to " + what));
        if (revision != null && !revision.equals(verdict.counterPatchRevision())) {
            throw new RefusedException(
                    RefusalCode.STALE, "another counter-patch has arrived since you read this one: read it first");
        }
        return verdict;
    }

    /** Approved content is what was read; nothing may replace it. */
    private static void refuseIfSettled(ReviewStatus status) {
        switch (status) {
            case APPROVED, CLOSED, WITHDRAWN ->
                throw new RefusedException(
                        RefusalCode.BAD_STATE,
                        "Cannot accept a counter-patch of a review in '" + status
                                + "' state: its content can no longer change");
            case PENDING, CLAIMED, IN_REVIEW, CHANGES_REQUESTED -> {}
        }
    }
}
