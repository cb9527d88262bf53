package dev.holdfast.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened. The ids of a resource's events increase in the order of its changes.
 *
 * @param detail more about it, as a JSON object
 */
public record Event(
        long id,
        Instant at,
        String type,
        String resource,
        @Nullable String actor,
        @Nullable Long generation,
        @Nullable String detail,
        int origin) {

    /** Whether it is about a review or a reviewer of the pool. */
    public boolean ofReviews() {
        return resource.startsWith("review:") || resource.startsWith("reviewer:");
    }
}
