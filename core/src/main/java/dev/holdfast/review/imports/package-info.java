/** Imports reviews from gsd-review-broker. Used once per store; nothing else depends on it. */
@NullMarked
package dev.holdfast.review.imports;

import org.jspecify.annotations.NullMarked;
