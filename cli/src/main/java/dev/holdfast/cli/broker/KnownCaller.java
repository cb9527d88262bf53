package dev.holdfast.cli.broker;

import org.jspecify.annotations.Nullable;

/**
 * Who the broker takes the caller for.
 *
 * @param agent the agent whose session this process belongs to; null: none
 * @param token the name of the team token that was sent; null: none
 */
public record KnownCaller(@Nullable String agent, @Nullable String token) {
    static final KnownCaller NOBODY = new KnownCaller(null, null);

    /** The name to act under; null: the broker knows none. */
    public @Nullable String name() {
        return agent != null ? agent : token;
    }
}
