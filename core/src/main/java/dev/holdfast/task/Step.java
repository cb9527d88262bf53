package dev.holdfast.task;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step as it stands; in the answer to its end, and in outlines, without input and result.
 *
 * @param position in the order they were given
 * @param error why it failed, or why the last attempt did
 * @param attempts that failed or were left lying since it was made
 * @param openDependencies how many steps it still waits for
 * @param holder who does it now
 * @param claimedAt since when
 * @param expiresAt when its claim runs out
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
    static String id(String taskId, String key) {
        return taskId + "." + key;
    }

    /** A key has no dot. */
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
