package dev.holdfast.broker.mcp;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a client before it has said anything.
 *
 * @param agent whose session its process is
 * @param repository that it is in
 */
record Known(@Nullable String agent, @Nullable String repository) {
    boolean nothing() {
        return agent == null && repository == null;
    }
}
