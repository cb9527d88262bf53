package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.imports.ImportedReview;
import dev.holdfast.review.imports.Imports;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewStatus;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Imports reviews from another broker: {@code import_reviews}. For programs; models have no use for it. */
record ImportVerb(Shapes shapes, Reviews reviews) {
    static final int MAX_REVIEWS = 500;
    static final int MAX_PARTS = 100_000;

    @Field(longest = Text.LONGEST_ID_BYTES)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Word {}

    @Field(upTo = Limit.BODY)
    @Retention(RetentionPolicy.RUNTIME)
    @interface LongText {}

    @Field(value = "an ISO 8601 time, UTC", longest = 40, example = "2026-11-15T10:00:00Z")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Time {}

    @Field(value = ReviewFields.ROUND, min = 1, max = Integer.MAX_VALUE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Round {}

    @Definition(name = "import_reviews", effect = VerbEffect.CHANGE, forPeople = true, description = """
                    Import reviews from another broker, with their claims and history. Repeating it imports nothing \
                    twice: reviews that changed only there are updated, reviews that changed here stay as they are.""")
    record ImportReviews(
            @Field(value = "the reviews, oldest first", max = MAX_REVIEWS, must = true)
            List<ReviewGiven> reviews,

            @Field("only report what would be done") boolean dryRun) {}

    record ReviewGiven(
            @Word String id,
            @Field(longest = Text.LONGEST_ID_BYTES) ReviewStatus status,
            @LongText String intent,
            @LongText @Nullable String description,
            @LongText @Nullable String diff,
            @LongText String agentType,
            @LongText String agentRole,
            @LongText String phase,
            @LongText @Nullable String plan,
            @LongText @Nullable String task,
            @LongText @Nullable String project,
            @LongText @Nullable String category,

            @Field(
                    longest = Text.LONGEST_ID_BYTES,
                    words = {"critical", "normal", "low"})
            @Nullable
            String priority,

            @Round int round,
            @Field("the diff does not have to apply") boolean skipDiffValidation,
            @LongText @Nullable String claimedBy,
            @Time @Nullable Instant claimedAt,

            @Field("the highest generation given there") @Nullable
            Long claimGeneration,

            @LongText @Nullable String verdictReason,
            @Time Instant createdAt,
            @Time Instant updatedAt,

            @Field(value = "verdicts and comments, oldest first", max = MAX_PARTS)
            List<VerdictGiven> verdicts,

            @Field(value = "what was said, oldest first", max = MAX_PARTS)
            List<MessageGiven> messages,

            @Field(value = "what happened, oldest first", max = MAX_PARTS)
            List<EventGiven> events) {
        ImportedReview imported() {
            return new ImportedReview(
                    id,
                    status,
                    new Proposal(
                            intent,
                            agentType,
                            agentRole,
                            phase,
                            plan,
                            task,
                            project,
                            category,
                            null,
                            description,
                            diff,
                            null,
                            skipDiffValidation),
                    Objects.requireNonNullElse(priority, "normal"),
                    round,
                    claimedBy,
                    Objects.requireNonNullElse(claimedAt, updatedAt),
                    Objects.requireNonNullElse(claimGeneration, 0L),
                    verdictReason,
                    createdAt,
                    updatedAt,
                    verdicts.stream().map(VerdictGiven::imported).toList(),
                    messages.stream().map(MessageGiven::imported).toList(),
                    events.stream().map(EventGiven::imported).toList());
        }
    }

    record VerdictGiven(
            @Field(
                    longest = Text.LONGEST_ID_BYTES,
                    words = {"approved", "changes_requested", "comment"})
            String verdict,

            @Round int round,

            @Field("it was given on the content that the review has now")
            boolean onCurrent,

            @Field("known only from the status") boolean assumed,
            @LongText @Nullable String reason,
            @LongText @Nullable String reviewer,

            @Field("of its claim") @Nullable Long claimGeneration,

            @LongText @Nullable String counterPatch,

            @Field(
                    longest = Text.LONGEST_ID_BYTES,
                    words = {"pending", "accepted", "rejected", "superseded"})
            @Nullable
            String counterPatchStatus,

            @Time Instant at) {
        ImportedReview.VerdictEntry imported() {
            return new ImportedReview.VerdictEntry(
                    verdict,
                    round,
                    onCurrent,
                    assumed,
                    reason,
                    reviewer,
                    claimGeneration,
                    counterPatch,
                    CounterPatchStatus.of(counterPatchStatus),
                    at);
        }
    }

    record MessageGiven(
            @Word String id,

            @Field(
                    longest = Text.LONGEST_ID_BYTES,
                    words = {"proposer", "reviewer"})
            String senderRole,

            @Round int round,
            @LongText String body,
            @LongText @Nullable String metadata,
            @Time Instant at) {
        ImportedReview.MessageEntry imported() {
            return new ImportedReview.MessageEntry(id, senderRole, round, body, metadata, at);
        }
    }

    record EventGiven(
            @Field(value = "grows with every event of that broker", min = 1)
            long number,

            @LongText String type,
            @LongText @Nullable String actor,
            @LongText @Nullable String oldStatus,
            @LongText @Nullable String newStatus,

            @Field("of the claim") @Nullable Long claimGeneration,

            @Field(value = "more, a JSON object as text", upTo = Limit.BODY) @Nullable
            String metadata,

            @Time Instant at) {
        ImportedReview.EventEntry imported() {
            return new ImportedReview.EventEntry(
                    number, type, actor, oldStatus, newStatus, claimGeneration, metadata, at);
        }
    }

    record ImportedReviews(
            @Field("how many were imported") long imported,

            @Field("how many were updated") long updated,

            @Field("how many were unchanged") long unchanged,

            @Field("how many were kept") long kept,

            @Field("how many were refused") long refused,

            @Field("the outcome for each, in the order given")
            List<Outcome> reviews) {}

    record Outcome(String id, Imports.How outcome, @Nullable String reason) {}

    Verb verb() {
        return Verb.of(shapes, ImportReviews.class, ImportedReviews.class, this::take);
    }

    private ImportedReviews take(ImportReviews given, Call call) {
        List<ImportedReview> asked =
                given.reviews().stream().map(ReviewGiven::imported).toList();
        List<Imports.Taken> taken = reviews.imports()
                .take(asked, given.dryRun(), call.caller(), call.reach().mayName());
        return new ImportedReviews(
                count(taken, Imports.How.IMPORTED),
                count(taken, Imports.How.UPDATED),
                count(taken, Imports.How.UNCHANGED),
                count(taken, Imports.How.KEPT),
                count(taken, Imports.How.REFUSED),
                taken.stream()
                        .map(one -> new Outcome(one.id(), one.how(), one.reason()))
                        .toList());
    }

    private static long count(List<Imports.Taken> taken, Imports.How how) {
        return taken.stream().filter(one -> one.how() == how).count();
    }
}
