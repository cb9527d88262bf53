package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** What the combined statement made of a request. Times are the database's, in microseconds. */
sealed interface Written {
    record Taken(
            long now,
            long generation,
            int attempts,
            @Nullable String note) implements Written {}

    record Renewed(long now, long acquiredAt, long expiresAt, int attempts) implements Written {}

    /** @param offered set when claim-next may give it away again */
    record Ended(@Nullable Item offered) implements Written {}

    /**
     * Nothing was changed: it was not plainly free, or not the caller's, or somebody else had it locked.
     *
     * @param row as it was just after that; null when there is none
     */
    record Missed(long now, @Nullable ResourceRow row) implements Written {}
}
