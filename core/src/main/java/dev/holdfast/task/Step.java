package dev.holdfast.task;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a step; without input and result in outlines and in the answer to its end.
 *
 * @param position its index in the order in which the steps were given
 * @param error why it failed, or why the last attempt did
 * @param attempts attempts that failed or were abandoned since it was created
 * @param openDependencies how many steps it still waits for
 * @param holder who is working on it
 * @param claimedAt since when
 * @param expiresAt when its claim expires
 * @param notBefore when it is tried again
 */
public record Step(
        String id,
        String taskId,
        String key,
        long position,
        StepState state,
        @Nullable String input,
        @Nullable String result,
        @Nullable String error,
        long attempts,
        long maxAttempts,
        long openDependencies,
        @Nullable String holder,
        @Nullable Instant claimedAt,
        @Nullable Instant expiresAt,
        @Nullable Instant notBefore,
        @Nullable Instant finishedAt) {
    public static String id(String taskId, String key) {
        return taskId + "." + key;
    }

    /** The task's id; a step's key contains no dot. */
    static String taskOf(String stepId) {
        return stepId.substring(0, Math.max(0, stepId.lastIndexOf('.')));
    }

    public static Resource resource(String id) {
        return new Resource(Kind.STEP, id);
    }

    Resource resource() {
        return resource(id);
    }
}
