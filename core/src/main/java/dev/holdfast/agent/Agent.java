package dev.holdfast.agent;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Somebody who can hold claims; claims name its id as their holder. */
public record Agent(
        String id,
        String sessionId,
        String kind,
        @Nullable String name,
        @Nullable String parent,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable String project,
        @Nullable String branch,
        Instant startedAt,
        Instant lastSeenAt,
        @Nullable Instant endedAt) {}
