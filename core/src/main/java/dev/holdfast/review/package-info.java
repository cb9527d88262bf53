/** Reviews: proposed, claimed, judged, revised, round by round. Start at {@link dev.holdfast.review.Reviews}. */
@NullMarked
package dev.holdfast.review;

import org.jspecify.annotations.NullMarked;
