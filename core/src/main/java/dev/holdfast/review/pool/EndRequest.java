package dev.holdfast.review.pool;

import org.jspecify.annotations.Nullable;

/**
 * Who asks for the end of a reviewer, and why, for the audit log.
 *
 * @param by null: the pool itself, or somebody unknown
 * @param why null: they did not say
 */
public record EndRequest(@Nullable String by, @Nullable String why) {
    static final EndRequest BY_THE_POOL = new EndRequest(null, null);
}
