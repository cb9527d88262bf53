/** The token verbs, for admins only. */
@NullMarked
package dev.holdfast.broker.verb.tokens;

import org.jspecify.annotations.NullMarked;
