package dev.holdfast.review.queue;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Transitions;
import dev.holdfast.store.Pending;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How reviewers claim a review by name, and release it. */
public record ReviewClaims(
        ReviewChanges changes, Leases leases, Reviewers reviewers, DiffCheck check, Independence independence) {
    private static final int CONTENTS = 5;

    /** The result of one attempt. */
    sealed interface Step permits Outcome, Unchecked, Unplaced {}

    /** The outcome of a claim. */
    public sealed interface Outcome extends Step permits Granted, AutoRejected {}

    /**
     * @param repeated the same request had already been granted
     * @param displaced the previous holder, if an expired claim was taken over
     * @param note the previous holder's handoff note
     */
    public record Granted(
            Review review,
            Claim claim,
            Revision revision,
            boolean repeated,
            @Nullable Displaced displaced,
            @Nullable String note)
            implements Outcome {
        static Granted of(ClaimOutcome.Granted granted, Review review, Revision revision) {
            return new Granted(review, granted.claim(), revision, false, granted.displaced(), granted.note());
        }

        static Granted again(ClaimOutcome.AlreadyHeld already, Review review, Revision revision) {
            return new Granted(review, already.claim(), revision, true, null, already.note());
        }
    }

    /** The diff no longer applies: the review went back to its proposer, and nobody holds it. */
    public record AutoRejected(Review review, String problem) implements Outcome {}

    /** The diff must be checked before anybody is given the review. */
    record Unchecked(DiffCheck.Request asked, String revision) implements Step {}

    /** The folder of the project must be looked up before it is known who may claim the review. */
    record Unplaced(String project) implements Step {}

    /** The result of checking a revision's diff. */
    record Checked(String revision, Optional<String> conflict) {}

    /** The folder of a project, by the project's key. */
    record Placed(String project, String folder) {}

    /** As {@link #claim(String, String, Duration, String, Caller)}, for an unknown caller. */
    public Outcome claim(String id, String reviewer, @Nullable Duration ttl, @Nullable String requestId) {
        return claim(id, reviewer, ttl, requestId, Caller.UNKNOWN);
    }

    public Outcome claim(
            String id, String reviewer, @Nullable Duration ttl, @Nullable String requestId, Caller caller) {
        if (!ReviewChanges.couldBe(id)) {
            throw ReviewChanges.notFound(id);
        }
        return claim(ClaimRequest.of(Review.resource(id), reviewer).ttl(ttl).requestId(requestId), caller);
    }

    /** Claims without waiting. */
    Outcome claim(ClaimRequest asked, Caller caller) {
        String id = asked.resource().id();
        @Nullable Checked checked = null;
        @Nullable Placed placed = null;
        for (int look = 0; look < CONTENTS; look++) {
            @Nullable Checked known = checked;
            @Nullable Placed place = placed;
            switch (changes.<Step>on(id, locked -> claim(locked, asked, caller, known, place))) {
                case Outcome outcome -> {
                    return outcome;
                }
                case Unplaced unplaced -> placed = new Placed(unplaced.project(), reviewers.folder(unplaced.project()));
                case Unchecked unchecked ->
                    checked = new Checked(
                            unchecked.revision(), check.check(unchecked.asked()).conflict());
            }
        }
        throw new RefusedException(
                RefusalCode.BUSY, "The review kept being revised while its diff was checked; try again");
    }

    private Step claim(
            ReviewChanges.Locked locked,
            ClaimRequest asked,
            Caller caller,
            @Nullable Checked checked,
            @Nullable Placed placed)
            throws SQLException {
        ReviewRow review = locked.review();
        // everything that the rest needs, in one round trip
        Pending<ReviewerIdentity> judging = independence.askIdentity(locked.transaction(), caller, asked.holder());
        Pending<List<Proposer>> proposers = ProposerTable.ask(locked.transaction(), review.id);
        Pending<Revision> current = RevisionTable.askCurrent(locked.transaction(), review.id);
        Optional<Reviewers.Managed> managed = reviewers.managed(locked.transaction(), asked.holder());
        if (managed.isPresent()) {
            ReviewerScope.checkProject(managed.get(), asked.holder(), review.project);
            String folder = managed.get().folder();
            String key = Project.key(review.project);
            if (folder != null && (placed == null || !placed.project().equals(key))) {
                return new Unplaced(key);
            }
            if (folder != null && placed != null) {
                ReviewerScope.checkFolder(folder, asked.holder(), review.project, placed.folder());
            }
        }
        Claim held = locked.claimState().claim();
        if (held != null && !locked.claimState().expired()) {
            return repeated(locked, asked, held);
        }
        if (held == null) {
            Transitions.check(locked.status(), ReviewStatus.CLAIMED, Transitions.By.REVIEWER);
        }
        independence.check(proposers.get(), review, judging.get(), "claim this review");
        String reserved = review.reservedFor;
        if (reserved != null
                && !reserved.equals(asked.holder())
                && reviewers.comesBack(locked.transaction(), reserved)) {
            throw new RefusedException(RefusalCode.HELD, "Review reserved for reviewer " + reserved);
        }
        if (managed.isPresent()) {
            ReviewerScope.checkActive(managed.get(), asked.holder());
        }
        Revision revision = current.get();
        if (revision.hasDiff() && !review.skipDiffValidation) {
            if (checked == null || !checked.revision().equals(revision.revision())) {
                return new Unchecked(
                        new DiffCheck.Request(
                                review.project,
                                revision.base(),
                                revision.content().diffText()),
                        revision.revision());
            }
            if (checked.conflict().isPresent()) {
                return AutoRejection.of(changes, locked, checked.conflict().get());
            }
        }
        review.reservedFor = null;
        review.unservedGeneration = null;
        locked.save();
        if (managed.isPresent()) {
            reviewers.claimed(locked.transaction(), asked.holder());
        }
        return granted(
                locked, changes.transactional().claim(locked.transaction(), locked.claimState(), asked), revision);
    }

    /**
     * A held review is granted to nobody else; only the request that got it, or its own fence, gets the same answer
     * again.
     */
    private Outcome repeated(ReviewChanges.Locked locked, ClaimRequest asked, Claim current) throws SQLException {
        boolean own = current.holder().equals(asked.holder());
        if (own
                && (asked.requestId() != null || asked.generation() != null)
                && changes.transactional().claim(locked.transaction(), locked.claimState(), asked)
                        instanceof ClaimOutcome.AlreadyHeld already) {
            return granted(locked, already, RevisionTable.current(locked.transaction(), locked.review().id));
        }
        Instant end = leases.limited(current).expiresAt();
        Refusal.Held held = new Refusal.Held(
                locked.resource(),
                current.holder(),
                current.claimedAt(),
                end,
                Duration.between(ReviewTable.instant(locked.now()), end),
                null);
        throw RefusedException.of(
                held,
                Transitions.invalid(
                        locked.status(), ReviewStatus.CLAIMED, own ? RefusalCode.BAD_STATE : RefusalCode.HELD));
    }

    private static Granted granted(ReviewChanges.Locked locked, ClaimOutcome outcome, Revision revision)
            throws SQLException {
        Review review =
                ReviewTable.show(locked.transaction(), locked.review().id).orElseThrow();
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> Granted.of(granted, review, revision);
            case ClaimOutcome.AlreadyHeld already -> Granted.again(already, review, revision);
            case ClaimOutcome.Nothing _ -> throw new IllegalStateException("a named claim found nothing");
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    /** Releases a review without a verdict; it is pending again. */
    public Review release(String id, Fence fence, @Nullable String note) {
        return switch (end(id, fence, Ending.released(note))) {
            case EndOutcome.Ended _ -> shown(id);
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    EndOutcome end(String id, Fence fence, Ending ending) {
        return changes.on(id, locked -> {
            EndOutcome outcome = changes.transactional()
                    .end(
                            locked.transaction(),
                            locked.claimState(),
                            fence,
                            ending,
                            ReviewChanges.event(
                                    "review_released",
                                    fence.holder(),
                                    ReviewStatus.CLAIMED,
                                    ReviewStatus.PENDING,
                                    Metadata.of("claim_generation", fence.generation(), "note", ending.note())));
            if (outcome instanceof EndOutcome.Ended ended && !ended.replayed()) {
                locked.save();
            }
            return outcome;
        });
    }

    private Review shown(String id) {
        return changes.store()
                .read(transaction -> ReviewTable.show(transaction, id))
                .orElseThrow();
    }
}
