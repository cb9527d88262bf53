/** What reviewers say: verdicts and comments. */
@NullMarked
package dev.holdfast.review.verdict;

import org.jspecify.annotations.NullMarked;
