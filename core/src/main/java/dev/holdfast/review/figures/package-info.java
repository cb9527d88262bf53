/** The audit log and the statistics of reviews, and dropping old reviews. */
@NullMarked
package dev.holdfast.review.figures;

import org.jspecify.annotations.NullMarked;
