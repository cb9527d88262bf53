package dev.holdfast.task;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands.
 *
 * @param executionStatus what its steps say about it: blocked_by_failures, has_ready_steps, processing, all_complete or
 *     waiting_for_dependencies
 * @param reason why it was cancelled
 * @param processor who has claimed to end it
 */
public record Task(
        String id,
        String name,
        String namespace,
        @Nullable String context,
        Policy policy,
        Finalizer finalizer,
        @Nullable String onFinish,
        TaskState state,
        String executionStatus,
        @Nullable String reason,
        Counters counters,
        @Nullable String processor,
        Instant createdAt,
        @Nullable Instant finishedAt) {
    /** What is claimed in order to end it. */
    public static Resource finalization(String id) {
        return new Resource(Kind.FINALIZATION, id);
    }
}
