/** The operations, each defined once, for every interface. */
@NullMarked
package dev.holdfast.broker.verb;

import org.jspecify.annotations.NullMarked;
