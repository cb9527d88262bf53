package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** What the combined statement did with a request. Times are the database's, in microseconds. */
sealed interface CombinedResult {
    record Taken(
            long now,
            long generation,
            int attempts,
            @Nullable String note) implements CombinedResult {}

    record Renewed(long now, long acquiredAt, long expiresAt, int attempts) implements CombinedResult {}

    /** @param offered set if claim-next may hand it out again */
    record Ended(@Nullable Item offered) implements CombinedResult {}

    /**
     * Nothing was changed: it was not clearly free, not the caller's, or locked by somebody else.
     *
     * @param row the row as read right afterwards; null if there is none
     */
    record Missed(long now, @Nullable ResourceRow row) implements CombinedResult {}
}
