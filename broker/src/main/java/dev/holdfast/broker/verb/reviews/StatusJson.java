package dev.holdfast.broker.verb.reviews;

import dev.holdfast.review.record.Review;

/** The state of a review. */
record StatusJson(
        @ReviewFields.ReviewId String id,
        @ReviewFields.ReviewId String reviewId,
        String status) {
    static StatusJson of(Review review) {
        return new StatusJson(review.id(), review.id(), review.status().toString());
    }
}
