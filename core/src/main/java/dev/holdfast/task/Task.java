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
 * @param processorUntil when that claim runs out
 * @param dueSince since when its end is offered to processors, if it may end
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
    /** As it stood before the last of several ends of steps: only the caller that had the last one learns that it was. */
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

    /** What is claimed in order to end it. */
    public static Resource finalization(String id) {
        return new Resource(Kind.FINALIZATION, id);
    }
}
