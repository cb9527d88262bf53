/** Serving what is under review, and the receipts of what was read. */
@NullMarked
package dev.holdfast.review.reading;

import org.jspecify.annotations.NullMarked;
