/**
 * Fenced claims: who holds what, from when until when, at which generation. Start at {@link dev.holdfast.claim.Claims}.
 */
@NullMarked
package dev.holdfast.claim;

import org.jspecify.annotations.NullMarked;
