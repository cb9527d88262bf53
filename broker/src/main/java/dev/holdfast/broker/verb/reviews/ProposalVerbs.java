package dev.holdfast.broker.verb.reviews;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.proposal.Proposals;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verbs for proposers: {@code create_review close_review withdraw_review accept_counter_patch reject_counter_patch}.
 */
record ProposalVerbs(Shapes shapes, Reviews reviews) {
    @Definition(
            name = "create_review",
            effect = VerbEffect.TAKE,
            toolsets = {Toolset.CODER, Toolset.REVIEWS},
            description = """
                    Propose a change for review; or, after changes were requested, submit the next round: the same review_id \
                    and the whole new diff. Then wait with get_review_status. Example: {"intent": "Add a cache", \
                    "agent_type": "claude", "agent_role": "proposer", "phase": "7", "project": "shop", \
                    "diff": "diff --git ..."}""")
    record CreateReview(
            @Field(value = "what the change is for, in a sentence", upTo = Limit.BODY)
            String intent,

            @Field("what you are, such as claude; default: your agent id") @Nullable
            String agentType,

            @Field("default: proposer") @Nullable String agentRole,

            @Field("the phase of the work, if there is one") @Nullable
            String phase,

            @Field("the plan") @Nullable String plan,

            @Field("the task") @Nullable String task,

            @ReviewFields.Project @Nullable String project,
            @ReviewFields.Category @Nullable String category,

            @Field("how urgent; default: normal") @Nullable Priority priority,

            @Field(value = "what a reviewer should know", upTo = Limit.BODY) @Nullable
            String description,

            @Field(value = "the whole change, as git diff --binary prints it at the top folder", upTo = Limit.BODY)
            @Nullable
            String diff,

            @Field(
                    value = "full id of the commit that the diff was made from; zeros if there is none yet",
                    longest = 64)
            @Nullable
            String base,

            @Field(
                    value = "the review to revise; default: a new one",
                    longest = Text.LONGEST_ID_BYTES,
                    idOf = Kind.REVIEW)
            @Nullable
            String reviewId,

            @Field("do not check that the diff applies to the project's files")
            boolean skipDiffValidation,

            @Field(
                    value = "your agent id; proposers do not review their own change",
                    actor = true,
                    example = "claude-3fa91c")
            @Nullable
            String holder) {
        Proposal proposal(Caller caller) {
            return new Proposal(
                    intent,
                    agentType(caller),
                    Objects.requireNonNullElse(agentRole, "proposer"),
                    Objects.requireNonNullElse(phase, "-"),
                    plan,
                    task,
                    project,
                    category,
                    priority,
                    description,
                    diff,
                    base,
                    skipDiffValidation);
        }

        private String agentType(Caller caller) {
            return Optional.ofNullable(agentType)
                    .or(() -> Optional.ofNullable(ReviewFields.filled(holder)))
                    .or(() -> Optional.ofNullable(caller.name()))
                    .orElse("agent");
        }
    }

    record CreatedReview(
            @ReviewFields.ReviewId String id,
            @ReviewFields.ReviewId String reviewId,
            String status,

            @Field("it is the next round of that review") @Nullable
            Boolean revised,

            @Field("this content was proposed before, in this review") @Nullable
            Boolean existing,

            @Field("git found that the diff applies to its base") @Nullable
            Boolean checked,

            @Field(value = "why git did not check the diff", upTo = Limit.BODY) @Nullable
            String notChecked,

            @Field(orNull = true) @Nullable String project,
            @Field(value = ReviewFields.ROUND, min = 1) int round,
            @ReviewFields.Revision String revision) {}

    @Definition(
            name = "close_review",
            effect = VerbEffect.END,
            toolsets = {Toolset.CODER, Toolset.REVIEWS},
            description = """
                    Close your approved review once the change is committed. Example: {"review_id": "3f2c", "closer_role": \
                    "proposer"}""")
    record CloseReview(
            @ReviewFields.ReviewId String reviewId,

            @Field(value = "only proposers close; the default", words = "proposer", open = true) @Nullable
            String closerRole) {}

    record ClosedReview(
            @ReviewFields.ReviewId String id,
            @ReviewFields.ReviewId String reviewId,
            String status,
            String closedBy) {}

    @Definition(name = "withdraw_review", effect = VerbEffect.END, toolsets = Toolset.REVIEWS, description = """
                    Withdraw a review that is no longer needed; its reviewer is freed. Give a reason. Example: {"review_id": \
                    "3f2c", "reason": "no longer needed"}""")
    record WithdrawReview(
            @ReviewFields.ReviewId String reviewId,
            @Field(value = "why", upTo = Limit.BODY) String reason) {}

    @Definition(
            name = "accept_counter_patch",
            effect = VerbEffect.CHANGE,
            toolsets = Toolset.REVIEWS,
            description = """
                    Accept the reviewer's counter-patch as the new content of your review; it then needs its own verdict. Example: \
                    {"review_id": "3f2c", "reopen": true}""")
    record AcceptCounterPatch(
            @ReviewFields.ReviewId String reviewId,

            @Field("ask for that verdict at once: changes_requested becomes pending")
            boolean reopen,

            @ReviewFields.CounterPatchRevision @Nullable String counterPatchRevision) {}

    record AcceptedCounterPatch(
            @ReviewFields.ReviewId String id,
            @ReviewFields.ReviewId String reviewId,
            String counterPatchStatus,
            String message,

            @Field("it is pending again") @Nullable Boolean reopened) {}

    @Definition(
            name = "reject_counter_patch",
            effect = VerbEffect.CHANGE,
            toolsets = Toolset.REVIEWS,
            description = """
                    Reject the reviewer's counter-patch; your own content stays. Example: {"review_id": "3f2c"}""")
    record RejectCounterPatch(
            @ReviewFields.ReviewId String reviewId,
            @ReviewFields.CounterPatchRevision @Nullable String counterPatchRevision) {}

    record RejectedCounterPatch(
            @ReviewFields.ReviewId String id,
            @ReviewFields.ReviewId String reviewId,
            String counterPatchStatus) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, CreateReview.class, CreatedReview.class, this::create),
                Verb.of(shapes, CloseReview.class, ClosedReview.class, this::close),
                Verb.of(shapes, WithdrawReview.class, StatusJson.class, this::withdraw),
                Verb.of(shapes, AcceptCounterPatch.class, AcceptedCounterPatch.class, this::accept),
                Verb.of(shapes, RejectCounterPatch.class, RejectedCounterPatch.class, this::reject));
    }

    private CreatedReview create(CreateReview given, Call call) {
        if (given.intent().isBlank()) {
            throw new InvalidException("intent must not be blank: say what the change is for, in a sentence");
        }
        Proposal proposal = given.proposal(call.caller());
        String id = given.reviewId();
        Caller by = call.caller().saying(ReviewFields.filled(given.holder()));
        Proposals.Taken taken = id == null
                ? reviews.proposals().propose(proposal, by)
                : reviews.proposals().next(id, proposal, by);
        Review review = taken.review();
        return new CreatedReview(
                review.id(),
                review.id(),
                taken.existing() ? review.status().toString() : ReviewStatus.PENDING.toString(),
                Present.ifTrue(id != null),
                Present.ifTrue(taken.existing()),
                (proposal.diff() == null || proposal.skipDiffValidation()) ? null : taken.unchecked() == null,
                taken.unchecked(),
                review.project(),
                review.round(),
                review.revision());
    }

    private ClosedReview close(CloseReview given, Call call) {
        String closer = Objects.requireNonNullElse(given.closerRole(), "proposer");
        Review review = reviews.proposals().close(given.reviewId(), closer, call.caller());
        return new ClosedReview(review.id(), review.id(), review.status().toString(), closer);
    }

    private StatusJson withdraw(WithdrawReview given, Call call) {
        return StatusJson.of(reviews.proposals().withdraw(given.reviewId(), given.reason(), call.caller()));
    }

    private AcceptedCounterPatch accept(AcceptCounterPatch given, Call call) {
        boolean reopened = reviews.counterPatches()
                .accept(given.reviewId(), given.counterPatchRevision(), call.caller(), given.reopen());
        return new AcceptedCounterPatch(
                given.reviewId(),
                given.reviewId(),
                CounterPatchStatus.ACCEPTED.toString(),
                "Counter-patch accepted as active diff",
                Present.ifTrue(reopened));
    }

    private RejectedCounterPatch reject(RejectCounterPatch given, Call call) {
        reviews.counterPatches().reject(given.reviewId(), given.counterPatchRevision(), call.caller());
        return new RejectedCounterPatch(given.reviewId(), given.reviewId(), CounterPatchStatus.REJECTED.toString());
    }
}
