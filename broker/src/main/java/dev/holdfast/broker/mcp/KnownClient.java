package dev.holdfast.broker.mcp;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a client before its first call.
 *
 * @param agent the agent whose session its process is
 * @param repository the repository it is in
 */
record KnownClient(@Nullable String agent, @Nullable String repository) {
    boolean nothing() {
        return agent == null && repository == null;
    }
}
