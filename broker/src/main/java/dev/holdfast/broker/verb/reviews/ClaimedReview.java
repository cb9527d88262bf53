package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.claim.Text;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.Review;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A claimed review, or one that was returned to its proposer instead. */
record ClaimedReview(
        @ReviewFields.ReviewId String id,
        @ReviewFields.ReviewId String reviewId,
        String status,
        @Inline Rest rest) {
    record Rest(
            @Nullable String claimedBy,
            @ReviewFields.Generation @Nullable Long claimGeneration,

            @Field("when your claim expires, unless a heartbeat extends it") @Nullable
            Instant expiresAt,

            @Nullable String intent,
            @Field(orNull = true) @Nullable String project,
            @Field(orNull = true) @Nullable String category,
            @Nullable String description,

            @Field(value = "what the diff touches", listOf = AffectedFileJson.class) @Nullable
            JsonNode affectedFiles,

            @Field("read it with get_proposal") @Nullable Boolean hasDiff,

            @Field(value = ReviewFields.ROUND, min = 1) @Nullable
            Integer round,

            @ReviewFields.Revision @Nullable String revision,

            @Field(value = "note from the previous reviewer", longest = Text.LONGEST_NOTE) @Nullable
            String note,

            @Field("this request was already granted") @Nullable
            Boolean alreadyHeld,

            @Field("the diff no longer applies and went back to its proposer; take another") @Nullable
            Boolean autoRejected,

            @Field(value = "why the diff does not apply", longest = Text.LONGEST_NOTE) @Nullable
            String validationError) {
        static final Rest NONE = rejected(null, null, null);

        static Rest rejected(@Nullable String project, @Nullable String category, @Nullable String problem) {
            return new Rest(
                    null,
                    null,
                    null,
                    null,
                    project,
                    category,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    problem == null ? null : true,
                    problem);
        }
    }

    /** The same, or nothing. */
    record Next(
            @Field(value = "the review's id", longest = Text.LONGEST_ID_BYTES, orNull = true) @Nullable
            String id,

            @Field(value = "the review's id", longest = Text.LONGEST_ID_BYTES, orNull = true) @Nullable
            String reviewId,

            @Nullable String status,
            @Inline Rest rest,
            @Nullable String message) {
        static Next of(ClaimedReview claimed) {
            return new Next(claimed.id(), claimed.reviewId(), claimed.status(), claimed.rest(), null);
        }

        static Next none(@Nullable String why) {
            return new Next(null, null, null, Rest.NONE, why);
        }
    }

    static ClaimedReview of(ReviewClaims.AutoRejected rejected) {
        Review review = rejected.review();
        return new ClaimedReview(
                review.id(),
                review.id(),
                review.status().toString(),
                Rest.rejected(review.project(), review.category(), rejected.problem()));
    }

    static ClaimedReview of(ReviewClaims.Granted granted) {
        Review review = granted.review();
        String files = granted.revision().affectedFiles();
        return new ClaimedReview(
                review.id(),
                review.id(),
                "claimed",
                new Rest(
                        granted.claim().holder(),
                        granted.claim().generation(),
                        granted.claim().expiresAt(),
                        review.intent(),
                        review.project(),
                        review.category(),
                        granted.revision().description(),
                        files == null ? null : JsonMapper.shared().readTree(files),
                        Present.ifTrue(granted.revision().hasDiff()),
                        granted.revision().round(),
                        granted.revision().revision(),
                        granted.note(),
                        Present.ifTrue(granted.repeated()),
                        null,
                        null));
    }
}
