/**
 * The stored form of a review: its row, its revisions, who proposed them, the verdicts on them, and how it is changed.
 * Everything else about reviews builds on this. Start at {@link dev.holdfast.review.record.ReviewChanges}.
 */
@NullMarked
package dev.holdfast.review.record;

import org.jspecify.annotations.NullMarked;
