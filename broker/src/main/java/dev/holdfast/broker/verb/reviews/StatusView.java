package dev.holdfast.broker.verb.reviews;

import dev.holdfast.review.record.Review;

/** What became of a review. */
record StatusView(@ReviewFields.ReviewId String reviewId, String status) {
    static StatusView of(Review review) {
        return new StatusView(review.id(), review.status().toString());
    }
}
