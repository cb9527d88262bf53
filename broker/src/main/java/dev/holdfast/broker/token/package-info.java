/** Secrets that callers show to prove who they are. */
@NullMarked
package dev.holdfast.broker.token;

import org.jspecify.annotations.NullMarked;
