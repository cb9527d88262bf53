package dev.holdfast.review.proposal;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.finding.FindingCarryOver;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Transitions;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What proposers do: propose, revise, close, withdraw. */
public record Proposals(ReviewChanges changes, DiffCheck check, Independence independence, ReviewLimits limits) {
    /** As {@link #create(Proposal, Caller)}, for an unknown caller. */
    public Review create(Proposal given) {
        return create(given, Caller.UNKNOWN);
    }

    /** Creates a new review and returns it. */
    public Review create(Proposal given, Caller by) {
        return create(changes.newId(), given, by);
    }

    /**
     * An accepted proposal.
     *
     * @param existing this review already had the same content
     * @param unchecked why it could not be checked whether the diff applies; null if it applies, or there was nothing
     *     to check
     */
    public record Taken(
            Review review, boolean existing, @Nullable String unchecked) {}

    /**
     * Creates a new review or, if the same content is already under review, returns that one. Only callers that name
     * the commit that the diff was made from, or say that there was none yet, get an existing review. For others the
     * same diff may refer to another state of the files, so each call gets its own review.
     */
    public Taken propose(Proposal given, Caller by) {
        Proposal made = given.checked(limits);
        Checked checked = checked(made, made.project());
        String id = changes.newId();
        Review review = create(id, made, checked.content(), by, made.base() != null && made.diff() != null);
        return new Taken(review, !review.id().equals(id), checked.unchecked());
    }

    /**
     * As {@link #create(Proposal, Caller)}, under an id that the caller chose; a repeat returns the existing review.
     */
    public Review create(String id, Proposal given, Caller by) {
        Proposal made = given.checked(limits);
        return create(id, made, checked(made, made.project()).content(), by, false);
    }

    /** @param once do not create one if the same content is already under review */
    private Review create(String id, Proposal made, Content content, Caller by, boolean once) {
        NewResource claimable = NewResource.of(Review.resource(id))
                .queue(Project.key(made.project()))
                .priority(made.urgency().rank());
        DomainEvent event = ReviewChanges.event(
                "review_created",
                made.agentType(),
                null,
                ReviewStatus.PENDING,
                proposed(by, "intent", made.intent(), "project", made.project(), "category", made.category()));
        return changes.store().write(transaction -> {
            Optional<Review> same = once
                    ? ReviewTable.open(transaction, Project.key(made.project()), content.revision())
                    : Optional.empty();
            if (same.isPresent()
                    && content.isSamePosition(
                            RevisionTable.current(transaction, same.get().id()))) {
                return same.get();
            }
            Proposer proposer = Independence.proposer(transaction, 1, by);
            Set<String> labels = Independence.labels(List.of(proposer), made.category(), made.agentType());
            if (changes.transactional()
                    .create(transaction, claimable.labels(labels), event)) { // otherwise a second run of this call
                long now = transaction.now();
                ReviewTable.insert(transaction, id, made, content.revision(), id, now);
                RevisionTable.add(transaction, id, 1, 1, content, made.base(), "proposal", now);
                ProposerTable.add(transaction, id, proposer, by.process(), now);
            }
            return ReviewTable.show(transaction, id).orElseThrow();
        });
    }

    /** The proposal's entry in the history, with its author. */
    private static Map<String, @Nullable Object> proposed(Caller by, @Nullable Object... pairs) {
        Map<String, @Nullable Object> metadata = Metadata.of(pairs);
        if (by.known() != Caller.Known.NOTHING) {
            metadata.put("proposer", by.name());
            metadata.put("known_by", by.known().toString());
        }
        return metadata;
    }

    /** Names the reviewer who loses the claim to this change, for its event. */
    private static Map<String, String> fencedOut(ReviewChanges.Locked locked) {
        Claim claim = locked.claimState().claim();
        return claim == null ? Map.of() : Map.of(AuditEvent.FENCED_OUT, claim.holder());
    }

    /** Submits the next round of a review. Whoever holds it is fenced out: they were reading the previous round. */
    public Taken next(String id, Proposal given, Caller by) {
        Proposal made = given.checked(limits);
        Checked checked = checked(made, made.project() == null ? project(id) : made.project());
        return new Taken(revise(id, made, checked.content(), by), false, checked.unchecked());
    }

    private Review revise(String id, Proposal made, Content content, Caller by) {
        return FindingCarryOver.with(
                changes.store(),
                id,
                content.diff(),
                carryOver -> changes.on(id, locked -> {
                    ReviewRow review = locked.review();
                    ReviewStatus before = locked.status();
                    boolean again = before == ReviewStatus.PENDING
                            && VerdictTable.all(locked.transaction(), id).get().stream()
                                    .anyMatch(verdict -> verdict.verdict().equals(Verdict.CHANGES_REQUESTED));
                    if (!again) {
                        Transitions.check(before, ReviewStatus.PENDING, Transitions.By.PROPOSER);
                    }
                    if (!carryOver.note(locked, review.round + 1)) {
                        return Optional.empty();
                    }
                    review.stored = ReviewStatus.PENDING;
                    review.project = made.project() == null ? review.project : made.project();
                    review.priority = made.priority() == null ? review.priority : made.priority();
                    review.intent = made.intent();
                    review.round++;
                    review.revision = content.revision();
                    review.revisionNumber = 1;
                    review.skipDiffValidation = made.skipDiffValidation();
                    review.reservedFor = null;
                    review.unservedGeneration = null;
                    review.verdictReason = null;
                    review.verdictBy = null;
                    locked.save();
                    RevisionTable.add(
                            locked.transaction(), id, review.round, 1, content, made.base(), "proposal", locked.now());
                    ProposerTable.add(
                            locked.transaction(),
                            id,
                            Independence.proposer(locked.transaction(), review.round, by),
                            by.process(),
                            locked.now());
                    reopen(locked, before, made.agentType(), by);
                    return ReviewTable.show(locked.transaction(), id);
                }));
    }

    private void reopen(ReviewChanges.Locked locked, ReviewStatus before, String actor, Caller by) throws SQLException {
        ReviewRow review = locked.review();
        LockedClaim claimState = locked.claimState();
        Map<String, @Nullable Object> revised =
                proposed(by, "revised", true, "project", review.project, "round", review.round);
        revised.putAll(fencedOut(locked));
        DomainEvent event = ReviewChanges.event("review_revised", actor, before, ReviewStatus.PENDING, revised);
        changes.transactional()
                .sort(
                        locked.transaction(),
                        locked.resource(),
                        Project.key(review.project),
                        review.priority.rank(),
                        Independence.labels(
                                ProposerTable.all(locked.transaction(), review.id), review.category, review.agentType));
        if (claimState.claim() == null) {
            changes.transactional().reopen(locked.transaction(), locked.resource(), false, event);
        } else {
            changes.transactional()
                    .reclaim(
                            locked.transaction(),
                            locked.resource(),
                            claimState.generation(),
                            "the review was revised",
                            event);
        }
    }

    /** As {@link #close(String, String, Caller)}, for an unknown caller. */
    public Review close(String id, String closerRole) {
        return close(id, closerRole, Caller.UNKNOWN);
    }

    /** Closes an approved review for its proposer. */
    public Review close(String id, String closerRole, Caller by) {
        if (!closerRole.equals("proposer")) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "Invalid closer_role: '" + closerRole + "'. Only proposer may close reviews.");
        }
        return changes.on(id, locked -> {
            independence.checkIsProposer(locked.transaction(), locked.review(), by, "close this review");
            Transitions.check(locked.status(), ReviewStatus.CLOSED, Transitions.By.PROPOSER);
            locked.review().stored = ReviewStatus.CLOSED;
            locked.save();
            changes.record(
                    locked,
                    ReviewChanges.event(
                            "review_closed", closerRole, ReviewStatus.APPROVED, ReviewStatus.CLOSED, proposed(by)));
            return ReviewTable.show(locked.transaction(), id).orElseThrow();
        });
    }

    /** Withdraws a review that is no longer wanted; whoever holds it is fenced out. */
    public Review withdraw(String id, String reason, Caller by) {
        limits.text("reason", ReviewLimits.required("reason", reason));
        return changes.on(id, locked -> {
            independence.checkIsProposer(locked.transaction(), locked.review(), by, "withdraw this review");
            ReviewStatus before = locked.status();
            Transitions.check(before, ReviewStatus.WITHDRAWN, Transitions.By.PROPOSER);
            locked.review().stored = ReviewStatus.WITHDRAWN;
            locked.review().reservedFor = null;
            locked.save();
            Map<String, @Nullable Object> withdrawn = proposed(by, "reason", reason);
            withdrawn.putAll(fencedOut(locked));
            changes.transactional()
                    .retire(
                            locked.transaction(),
                            locked.resource(),
                            "the review was withdrawn",
                            ReviewChanges.event(
                                    "review_withdrawn", "proposer", before, ReviewStatus.WITHDRAWN, withdrawn));
            return ReviewTable.show(locked.transaction(), id).orElseThrow();
        });
    }

    /** @param unchecked why the diff could not be checked; null if it was, or did not need to be */
    private record Checked(Content content, @Nullable String unchecked) {}

    /** The content, with its diff checked unless the check is to be skipped. */
    private Checked checked(Proposal made, @Nullable String project) {
        Content content = Content.of(made.intent(), made.description(), made.diff());
        if (content.diff() == null || made.skipDiffValidation()) {
            return new Checked(content, null);
        }
        return switch (content.problem()
                .<DiffCheck.Finding>map(DiffCheck.Conflicts::new)
                .orElseGet(() -> check.check(new DiffCheck.Request(project, made.base(), content.diffText())))) {
            case DiffCheck.Fits _ -> new Checked(content, null);
            case DiffCheck.Conflicts(String message) -> throw refused("Diff does not apply cleanly.", message);
            case DiffCheck.Unknown(String reason, boolean refuse) -> {
                if (refuse) {
                    throw refused("Diff could not be checked: " + reason + ".", reason);
                }
                yield new Checked(content, reason);
            }
        };
    }

    private static RefusedException refused(String what, String why) {
        return new RefusedException(
                RefusalCode.INVALID, "Diff validation failed on submission. " + what, Map.of("validation_error", why));
    }

    private @Nullable String project(String id) {
        return changes.store()
                .read(transaction -> ReviewTable.find(transaction, id))
                .map(row -> row.project)
                .orElse(null);
    }
}
