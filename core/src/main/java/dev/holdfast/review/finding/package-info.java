/** Reviewers' findings on lines: raised, carried over to the next round, resolved or waived. */
@NullMarked
package dev.holdfast.review.finding;

import org.jspecify.annotations.NullMarked;
