package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.verdict.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verbs for reviewers: {@code claim_review claim_next_review submit_verdict release_review}. */
record ReviewerVerbs(Shapes shapes, Reviews reviews, ReviewMeters meters) {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerVerbs.class);

    @Definition(name = "claim_review", effect = VerbEffect.CHANGE, toolsets = Toolset.REVIEWS, description = """
                    Claim this pending review so that nobody else judges it meanwhile. Keep the claim_generation for \
                    submit_verdict; then call get_proposal. Refused if someone else has it: call claim_next_review. \
                    Example: {"review_id": "3f2c", "reviewer_id": "reviewer-1"}""")
    record ClaimReview(
            @ReviewFields.ReviewId String reviewId,
            @ReviewFields.ReviewerId String reviewerId,
            @CommonFields.RequestId @Nullable String requestId) {}

    @Definition(name = "claim_next_review", effect = VerbEffect.TAKE, toolsets = Toolset.REVIEWS, description = """
                    Claim the next pending review: most urgent first, then oldest; then call get_proposal. \
                    Returns review_id: null when there is none; with wait_seconds it waits. Example: {"reviewer_id": "reviewer-1", "wait_seconds": 25}""")
    record ClaimNextReview(
            @ReviewFields.ReviewerId String reviewerId,
            @ReviewFields.Project @Nullable String project,
            @ReviewFields.Category @Nullable String category,

            @Field(value = "how long to wait for one", upTo = Limit.WAIT)
            Duration waitSeconds,

            @CommonFields.RequestId @Nullable String requestId) {}

    @Definition(name = "submit_verdict", effect = VerbEffect.END, toolsets = Toolset.REVIEWS, description = """
                    Judge the review you claimed: approved, changes_requested (say what), or comment (keeps your claim). \
                    Pass reviewer_id and claim_generation. Point at lines with findings; approval needs all of the content read \
                    with get_proposal (else refused as unread: read what is missing) and every must_fix \
                    of earlier rounds resolved (yours) or waived with a reason (others'). Refused as stale when the review \
                    was reclaimed or changed meanwhile: drop it. Example: {"review_id": "3f2c", \
                    "verdict": "changes_requested", "reason": "no test", "reviewer_id": "reviewer-1", \
                    "claim_generation": 1}""")
    record SubmitVerdict(
            @ReviewFields.ReviewId String reviewId,

            @Field(
                    value = "comment keeps your claim",
                    words = {Verdict.APPROVED, Verdict.CHANGES_REQUESTED, Verdict.COMMENT},
                    open = true)
            String verdict,

            @Field(value = "why; required unless approved", upTo = Limit.BODY) @Nullable
            String reason,

            @Field(value = "a diff you suggest instead", upTo = Limit.BODY) @Nullable
            String counterPatch,

            @ReviewFields.Generation @Nullable Long claimGeneration,

            @Field(value = ReviewFields.REVIEWER, actor = true, example = "reviewer-1") @Nullable
            String reviewerId,

            @Field("the revision you judged; refused as stale if not current") @Nullable
            String revision,

            @Inline RemarkArguments remarks) {}

    record Judged(
            @ReviewFields.ReviewId String id,
            @ReviewFields.ReviewId String reviewId,
            String status,
            @Nullable String verdict,
            @Field(orNull = true) @Nullable String verdictReason,
            @Field("a counter-patch came with it") @Nullable Boolean hasCounterPatch,
            @ReviewFields.Revision String revision,

            @Field(value = "ids of what you found, in your order", longest = 20) @Nullable
            List<String> findings,

            @Field("you had already given this verdict; nothing changed") @Nullable
            Boolean replayed) {}

    @Definition(name = "release_review", effect = VerbEffect.CHANGE, toolsets = Toolset.REVIEWS, description = """
                    Release a review that you claimed and will not judge; it becomes pending again. Leave a note for the next \
                    reviewer. Example: {"review_id": "3f2c", "reviewer_id": "claude-1", "claim_generation": 3}""")
    record ReleaseReview(
            @ReviewFields.ReviewId String reviewId,
            @ReviewFields.ReviewerId String reviewerId,
            @ReviewFields.Generation long claimGeneration,

            @Field(value = "for the next reviewer", longest = Text.LONGEST_NOTE) @Nullable
            String note) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ClaimReview.class, ClaimedReview.class, this::claim),
                Verb.of(shapes, ClaimNextReview.class, ClaimedReview.Next.class, this::claimNext),
                Verb.of(shapes, SubmitVerdict.class, Judged.class, this::verdict)
                        .refusing(meters::fenced),
                Verb.of(shapes, ReleaseReview.class, StatusJson.class, this::release)
                        .refusing(meters::fenced));
    }

    private ClaimedReview claim(ClaimReview given, Call call) {
        return switch (meters.claim(() -> reviews.claiming()
                .claim(given.reviewId(), given.reviewerId(), null, given.requestId(), call.caller()))) {
            case ReviewClaims.Granted granted -> granted(granted, call);
            case ReviewClaims.AutoRejected rejected -> ClaimedReview.of(rejected);
        };
    }

    private ClaimedReview.Next claimNext(ClaimNextReview given, Call call) {
        NextReview.Request asked = new NextReview.Request(
                given.reviewerId(), given.project(), given.category(), null, given.requestId(), given.waitSeconds());
        Optional<ReviewClaims.Granted> next =
                meters.claimNext(() -> reviews.next().claim(asked, call.caller()));
        return next.map(granted -> ClaimedReview.Next.of(granted(granted, call)))
                .orElseGet(() -> ClaimedReview.Next.none(
                        reviews.next().whyNot(asked, call.caller()).orElse(null)));
    }

    private ClaimedReview granted(ReviewClaims.Granted granted, Call call) {
        recordWhatWasShown(granted);
        if (!granted.repeated()) {
            call.whenUndelivered(() -> reviews.claiming()
                    .release(granted.review().id(), granted.claim().fence(), null));
        }
        return ClaimedReview.of(granted);
    }

    /** The claim stands and must be reported even if this fails: the reviewer can still call get_proposal. */
    private void recordWhatWasShown(ReviewClaims.Granted granted) {
        try {
            reviews.receipts().served(granted);
        } catch (RuntimeException e) {
            if (Refusals.of(e).isEmpty()) {
                throw e;
            }
            LOG.debug(
                    "no receipt for the answer to a claim of {}",
                    granted.review().id(),
                    e);
        }
    }

    private Judged verdict(SubmitVerdict given, Call call) {
        Verdicts.Submitted said = reviews.verdicts()
                .submit(
                        given.reviewId(),
                        new Verdicts.Submission(
                                given.verdict(),
                                given.reason(),
                                given.counterPatch(),
                                new Fence(ReviewFields.filled(given.reviewerId()), given.claimGeneration()),
                                given.revision(),
                                given.remarks().remarks()),
                        call.caller());
        if (!said.replayed()) { // each verdict counts once, however often it is repeated
            meters.verdict(given.verdict());
        }
        return new Judged(
                said.reviewId(),
                said.reviewId(),
                said.status().toString(),
                said.verdict().equals(Verdict.COMMENT) ? said.verdict() : null,
                said.reason(),
                Present.ifTrue(said.hasCounterPatch()),
                said.revision(),
                Present.ifAny(said.findings()),
                Present.ifTrue(said.replayed()));
    }

    private StatusJson release(ReleaseReview given) {
        return StatusJson.of(reviews.claiming()
                .release(given.reviewId(), Fence.of(given.reviewerId(), given.claimGeneration()), given.note()));
    }
}
