@NullMarked
package dev.holdfast.review.diff;

import org.jspecify.annotations.NullMarked;
