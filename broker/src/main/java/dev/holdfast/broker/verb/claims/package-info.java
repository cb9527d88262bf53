/** Claims on anything: taking, renewing and releasing them, who holds what, and what happened. */
@NullMarked
package dev.holdfast.broker.verb.claims;

import org.jspecify.annotations.NullMarked;
