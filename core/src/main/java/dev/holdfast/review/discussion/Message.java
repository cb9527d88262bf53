package dev.holdfast.review.discussion;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message from one side to the other. */
public record Message(
        String id,
        String senderRole,
        int round,
        String body,
        @Nullable String metadata,
        Instant at,
        long seq) {}
