/** What proposers do: propose, revise, close, withdraw, and answer a counter-patch. */
@NullMarked
package dev.holdfast.review.proposal;

import org.jspecify.annotations.NullMarked;
