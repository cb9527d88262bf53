/** The records of the reviewers that brokers run. Start at {@link dev.holdfast.review.pool.PoolReviewers}. */
@NullMarked
package dev.holdfast.review.pool;

import org.jspecify.annotations.NullMarked;
