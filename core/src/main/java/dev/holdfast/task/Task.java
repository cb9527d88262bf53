package dev.holdfast.task;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a task.
 *
 * @param executionStatus derived from its steps: blocked_by_failures, has_ready_steps, processing, all_complete or
 *     waiting_for_dependencies
 * @param reason why it was cancelled
 * @param processor who has claimed the right to end it
 * @param processorUntil when that claim expires
 * @param dueSince since when its finalization is offered, if it may end
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
        @Nullable Instant processorUntil,
        @Nullable Instant dueSince,
        Instant createdAt,
        @Nullable Instant finishedAt) {
    /**
     * As it was before the last of several concurrent ends: only the caller that ended the last step learns that it was
     * the last.
     */
    Task whileOthersWork() {
        return !executionStatus.equals("all_complete")
                ? this
                : new Task(
                        id,
                        name,
                        namespace,
                        context,
                        policy,
                        finalizer,
                        onFinish,
                        state,
                        "processing",
                        reason,
                        counters,
                        processor,
                        processorUntil,
                        dueSince,
                        createdAt,
                        finishedAt);
    }

    /** The resource to claim in order to end it. */
    public static Resource finalization(String id) {
        return new Resource(Kind.FINALIZATION, id);
    }
}
