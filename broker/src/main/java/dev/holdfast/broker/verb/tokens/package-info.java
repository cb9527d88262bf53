/** The verbs of tokens, which only admins call. */
@NullMarked
package dev.holdfast.broker.verb.tokens;

import org.jspecify.annotations.NullMarked;
