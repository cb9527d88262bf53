/** The list of reviews: filtered, sorted, paged. */
@NullMarked
package dev.holdfast.broker.dashboard.reviews;

import org.jspecify.annotations.NullMarked;
