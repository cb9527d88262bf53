package dev.holdfast.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One logged attempt to claim, extend, release or finish.
 *
 * @param id its number in the log; 0 while it is being written
 * @param at null while it is being written
 */
public record Attempt(
        long id,
        String taskId,
        String processorId,
        String operation,
        String outcome,
        boolean claimed,
        @Nullable String alreadyClaimedBy,
        @Nullable String taskState,
        String message,
        @Nullable Long claimGeneration,
        @Nullable Long requestedSeq,
        double seconds,
        @Nullable Instant at) {}
