/** Messages between proposer and reviewer. */
@NullMarked
package dev.holdfast.review.discussion;

import org.jspecify.annotations.NullMarked;
