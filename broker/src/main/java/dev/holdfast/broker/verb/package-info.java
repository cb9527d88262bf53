/** The operations, each defined once, for every door. */
@NullMarked
package dev.holdfast.broker.verb;

import org.jspecify.annotations.NullMarked;
