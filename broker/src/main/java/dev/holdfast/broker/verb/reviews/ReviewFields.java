package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.ReviewStatus;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/** Fields that the review verbs share, under the names that the predecessor's clients know. */
final class ReviewFields {
    static final int WORD = 200;
    static final String ROUND = "the round";
    static final String REVIEWER = "who you are, the same in every call";
    static final String REVISION = "hash of the content that is up for review";
    static final String KNOWN_BY = "token, session, name (unverified) or nothing";
    static final String ENGINE = "claude, codex, person, ...";

    private ReviewFields() {}

    @Field(value = "the review's id", longest = Text.LONGEST_ID_BYTES, idOf = Kind.REVIEW)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ReviewId {}

    @Field(value = "only those in this status", wordsOf = ReviewStatus.class, open = true)
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfStatus {}

    @Field(value = REVIEWER, filled = true, actor = true, example = "reviewer-1")
    @Retention(RetentionPolicy.RUNTIME)
    @interface ReviewerId {}

    @Field(value = "who you are", actor = true)
    @Retention(RetentionPolicy.RUNTIME)
    @interface CallerId {}

    @Field("the generation of your claim on the review")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Generation {}

    @Field(value = "the project; spelling, case and path do not matter", longest = 1_000)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Project {}

    @Field("such as plan_review, code_change, verification, handoff")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Category {}

    /** The predecessor's lists are complete unless a page is asked for. */
    @Field(value = "at most this many; all if left out", min = 1, upTo = Limit.PAGE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface PageSize {}

    @Field(REVISION)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Revision {}

    @Field("the counter-patch you read, as get_proposal named it; refused as stale if there is a newer one")
    @Retention(RetentionPolicy.RUNTIME)
    @interface CounterPatchRevision {}

    static Page.Request asked(@Nullable Integer limit, @Nullable String cursor) {
        return new Page.Request(limit == null ? Page.Request.ALL.limit() : limit, filled(cursor));
    }

    /** A blank text counts as left out. */
    static @Nullable String filled(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
