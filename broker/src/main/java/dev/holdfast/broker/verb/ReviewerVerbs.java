package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.REVIEW_ID;
import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.BusyException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** What reviewers do: {@code claim_review claim_next_review submit_verdict release_review}. */
final class ReviewerVerbs {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerVerbs.class);

    private final Reviews reviews;
    private final Limits limits;
    private final ReviewMeters meters;

    ReviewerVerbs(Reviews reviews, Limits limits, Meters meters) {
        this.reviews = reviews;
        this.limits = limits;
        this.meters = new ReviewMeters(meters);
    }

    List<Verb> verbs() {
        return List.of(claim(), claimNext(), meters.judging(verdict()), meters.fenced(release()));
    }

    private Verb claim() {
        return new Verb(
                "claim_review",
                """
                Claim this pending review so that nobody else judges it meanwhile. Keep the claim_generation for \
                submit_verdict; then call get_proposal. Refused if someone else has it: call claim_next_review. \
                Example: {"review_id": "3f2c", "reviewer_id": "reviewer-1"}""",
                List.of(REVIEW_ID, ReviewFields.REVIEWER_ID.filled().must(), ReviewFields.REQUEST_ID),
                claimed(REVIEW_ID),
                Verb.Nature.CHANGE,
                given -> answer(meters.claim(() -> reviews.claiming()
                        .claim(
                                given.text("review_id"),
                                given.text("reviewer_id"),
                                null,
                                given.textOrNull("request_id"),
                                given.origin().caller()))));
    }

    private Verb claimNext() {
        return new Verb(
                "claim_next_review",
                """
                Claim the next pending review: most urgent first, then oldest; then call get_proposal. \
                Answers review_id: null when there is none; with wait_seconds it waits. Example: {"reviewer_id": "reviewer-1", "wait_seconds": 25}""",
                List.of(
                        ReviewFields.REVIEWER_ID.filled().must(),
                        ReviewFields.PROJECT,
                        ReviewFields.CATEGORY,
                        Field.integer("wait_seconds", 0L, limits.longestWait().toSeconds(), "how long to wait for one"),
                        ReviewFields.REQUEST_ID),
                Stream.concat(
                                claimed(ReviewFields.REVIEW_ID.orNull()).stream()
                                        .map(field ->
                                                field.presence() == Field.Presence.REQUIRED ? field.maybe() : field),
                                Stream.of(text("message")))
                        .toList(),
                Verb.Nature.TAKE,
                this::claimNext);
    }

    private Answer claimNext(Arguments given) {
        NextReview.Asked asked = new NextReview.Asked(
                given.text("reviewer_id"),
                given.textOrNull("project"),
                given.textOrNull("category"),
                null,
                given.textOrNull("request_id"),
                Duration.ofSeconds(given.number("wait_seconds", 0)));
        Caller caller = given.origin().caller();
        return meters.claimNext(() -> reviews.next().claim(asked, caller))
                .map(this::answer)
                .orElseGet(() -> {
                    Map<String, @Nullable Object> nothing = new LinkedHashMap<>();
                    nothing.put("review_id", null);
                    nothing.put("project", null);
                    nothing.put("category", null);
                    reviews.next().whyNot(asked, caller).ifPresent(why -> nothing.put("message", why));
                    return Answer.of(nothing);
                });
    }

    private static List<Field> claimed(Field id) {
        return List.of(
                id,
                text("status").must(),
                text("claimed_by"),
                ReviewFields.GENERATION,
                Field.time("expires_at", "when your claim expires, unless a heartbeat extends it"),
                text("intent"),
                text("project").orNull(),
                text("category").orNull(),
                text("description"),
                Field.objects("affected_files", "what the diff touches", ReviewFields.AFFECTED_FILE),
                Field.flag("has_diff", "read it with get_proposal"),
                Field.integer("round", 1L, null, "the round"),
                ReviewFields.REVISION.maybe(),
                Field.text("note", Text.LONGEST_NOTE, "note from the previous reviewer"),
                Field.flag("already_held", "this request was already granted"),
                Field.flag("auto_rejected", "the diff no longer applies and went back to its proposer; take another"),
                ReviewFields.VALIDATION_ERROR);
    }

    private Answer answer(ReviewClaims.Outcome outcome) {
        return switch (outcome) {
            case ReviewClaims.Granted granted -> {
                noteWhatIsShown(granted);
                Answer answer = Answer.of(told(granted));
                yield granted.repeated()
                        ? answer
                        : answer.whenUndelivered(() -> reviews.claiming()
                                .release(granted.review().id(), granted.claim().fence(), null));
            }
            case ReviewClaims.AutoRejected rejected -> {
                Review review = rejected.review();
                Map<String, @Nullable Object> told = new LinkedHashMap<>();
                told.put("review_id", review.id());
                told.put("status", review.status().toString());
                told.put("auto_rejected", true);
                told.put("validation_error", rejected.problem());
                told.put("project", review.project());
                told.put("category", review.category());
                yield Answer.of(told);
            }
        };
    }

    /** The claim stands and must be told of, also if this fails: then there is still get_proposal. */
    private void noteWhatIsShown(ReviewClaims.Granted granted) {
        try {
            reviews.receipts().served(granted);
        } catch (BusyException | RefusedException e) {
            LOG.debug(
                    "no receipt for the answer to a claim of {}",
                    granted.review().id(),
                    e);
        }
    }

    private static Map<String, @Nullable Object> told(ReviewClaims.Granted granted) {
        Review review = granted.review();
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("review_id", review.id());
        told.put("status", "claimed");
        told.put("claimed_by", granted.claim().holder());
        told.put("claim_generation", granted.claim().generation());
        told.put("expires_at", ClaimJson.time(granted.claim().expiresAt()));
        told.put("intent", review.intent());
        told.put("project", review.project());
        told.put("category", review.category());
        ClaimVerbs.putIfGiven(told, "description", granted.revision().description());
        String files = granted.revision().affectedFiles();
        if (files != null) {
            told.put("affected_files", JsonMapper.shared().readTree(files));
        }
        if (granted.revision().hasDiff()) {
            told.put("has_diff", true);
        }
        told.put("round", granted.revision().round());
        told.put("revision", granted.revision().revision());
        ClaimVerbs.putIfGiven(told, "note", granted.note());
        if (granted.repeated()) {
            told.put("already_held", true);
        }
        return told;
    }

    private Verb verdict() {
        return new Verb(
                "submit_verdict",
                """
                Judge the review you claimed: approved, changes_requested (say what), or comment (keeps your claim). \
                Pass reviewer_id and claim_generation. Point at lines with findings; approval needs all of the content read \
                with get_proposal (else refused as unread: read what is missing) and every must_fix \
                of earlier rounds resolved (yours) or waived with a reason (others'). Refused as stale when the review \
                was taken back or changed meanwhile: drop it. Example: {"review_id": "3f2c", \
                "verdict": "changes_requested", "reason": "no test", "reviewer_id": "reviewer-1", \
                "claim_generation": 1}""",
                Stream.concat(
                                Stream.of(
                                        REVIEW_ID,
                                        ReviewFields.VERDICT,
                                        Field.text("reason", limits.bodyBytes(), "why; required unless approved"),
                                        Field.text("counter_patch", limits.bodyBytes(), "a diff you suggest instead"),
                                        ReviewFields.GENERATION,
                                        ReviewFields.REVIEWER_ID,
                                        Field.text(
                                                "revision",
                                                ReviewFields.WORD,
                                                "the revision you judged; refused as stale if not current")),
                                FindingFields.GIVEN.stream())
                        .toList(),
                List.of(
                        REVIEW_ID,
                        text("status").must(),
                        text("verdict"),
                        text("verdict_reason").orNull(),
                        Field.flag("has_counter_patch", "a counter-patch came with it"),
                        ReviewFields.REVISION,
                        Field.texts("findings", 20, "ids of what you found, in your order"),
                        Field.flag("replayed", "you had already given this verdict; nothing changed")),
                Verb.Nature.END,
                this::verdict);
    }

    private Answer verdict(Arguments given) {
        Verdicts.Said said = reviews.verdicts()
                .submit(
                        given.text("review_id"),
                        new Verdicts.Given(
                                given.text("verdict"),
                                given.textOrNull("reason"),
                                given.textOrNull("counter_patch"),
                                new Fence(
                                        ReviewVerbs.textOrNull(given, "reviewer_id"),
                                        given.numberOrNull("claim_generation")),
                                given.textOrNull("revision"),
                                FindingFields.given(given)),
                        given.origin().caller());
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("review_id", said.reviewId());
        told.put("status", said.status().toString());
        if (said.verdict().equals("comment")) {
            told.put("verdict", said.verdict());
        }
        told.put("verdict_reason", said.reason());
        if (said.hasCounterPatch()) {
            told.put("has_counter_patch", true);
        }
        told.put("revision", said.revision());
        if (!said.findings().isEmpty()) {
            told.put("findings", said.findings());
        }
        if (said.replayed()) {
            told.put("replayed", true);
        }
        return Answer.of(told);
    }

    private Verb release() {
        return new Verb(
                "release_review",
                "Release a review that you claimed and will not judge; it becomes pending again. Leave a note for the next reviewer. Example: {\"review_id\": \"3f2c\", \"reviewer_id\": \"claude-1\", \"claim_generation\": 3}",
                List.of(
                        REVIEW_ID,
                        ReviewFields.REVIEWER_ID.filled().must(),
                        ReviewFields.GENERATION.must(),
                        Field.text("note", Text.LONGEST_NOTE, "for the next reviewer")),
                List.of(REVIEW_ID, text("status").must()),
                Verb.Nature.CHANGE,
                given -> {
                    Review review = reviews.claiming()
                            .release(
                                    given.text("review_id"),
                                    Fence.of(given.text("reviewer_id"), given.number("claim_generation", 0)),
                                    given.textOrNull("note"));
                    Map<String, @Nullable Object> told = new LinkedHashMap<>();
                    told.put("review_id", review.id());
                    told.put("status", review.status().toString());
                    return Answer.of(told);
                });
    }
}
