/** Who may call: origins, tokens, sessions and limits. */
@NullMarked
package dev.holdfast.broker.auth;

import org.jspecify.annotations.NullMarked;
