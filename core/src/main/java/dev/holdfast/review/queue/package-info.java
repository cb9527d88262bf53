/** Reviews that wait for a reviewer: listed, waited for, claimed, released, reclaimed. */
@NullMarked
package dev.holdfast.review.queue;

import org.jspecify.annotations.NullMarked;
