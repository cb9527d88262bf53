package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.review.record.Attention;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.Review;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A review as lists show it. */
record ReviewJson(
        String id,
        String status,
        String intent,
        String agentType,
        String phase,
        String priority,
        @Field(orNull = true) @Nullable String project,
        @Field(orNull = true) @Nullable String category,
        @Field("when it was proposed") Instant createdAt,

        @Field(value = "who proposed it; null: not recorded", orNull = true) @Nullable
        ProposerView proposer,

        @Field("whose turn it is") Turn attention) {
    record ProposerView(
            @Field(orNull = true) @Nullable String agent,

            @Field(value = ReviewFields.KNOWN_BY, longest = 10)
            String knownBy,

            @Field(ReviewFields.ENGINE) @Nullable String engine) {
        static @Nullable ProposerView of(@Nullable Proposer proposer) {
            return proposer == null
                    ? null
                    : new ProposerView(proposer.agent(), proposer.known().toString(), proposer.engine());
        }
    }

    record Turn(
            @Field(
                    value = "who acts next",
                    longest = 10,
                    words = {"proposer", "reviewer", "nobody"})
            String turn,

            @Field(value = "its name; null: anyone, or nobody", orNull = true) @Nullable
            String who,

            @Field("since when") Instant since) {}

    static ReviewJson of(Review review) {
        Attention attention = review.attention();
        return new ReviewJson(
                review.id(),
                review.status().toString(),
                review.intent(),
                review.agentType(),
                review.phase(),
                review.priority(),
                review.project(),
                review.category(),
                review.createdAt(),
                ProposerView.of(review.proposer()),
                new Turn(attention.turn().toString(), attention.who(), attention.since()));
    }
}
