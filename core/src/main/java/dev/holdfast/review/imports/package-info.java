/** Imports reviews from gsd-review-broker. Used once per store, by nothing else here. */
@NullMarked
package dev.holdfast.review.imports;

import org.jspecify.annotations.NullMarked;
