/** Reviews by hand: {@code review ...}. */
@NullMarked
package dev.holdfast.cli.review;

import org.jspecify.annotations.NullMarked;
