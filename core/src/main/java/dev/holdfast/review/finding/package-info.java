/** What reviewers found at a line: raised, carried over into the next round, resolved or waived. */
@NullMarked
package dev.holdfast.review.finding;

import org.jspecify.annotations.NullMarked;
