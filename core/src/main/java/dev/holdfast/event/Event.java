package dev.holdfast.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened. Ids grow with the changes of each resource.
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
        int origin) {}
