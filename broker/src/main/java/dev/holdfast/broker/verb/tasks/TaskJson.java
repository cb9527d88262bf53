package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Counters;
import dev.holdfast.task.Policy;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a task. */
record TaskJson(
        @TaskFields.TaskId String id,
        @TaskFields.TaskId String taskId,

        @Field(value = "what it is", longest = TaskFields.LONGEST_NAME)
        String name,

        @Field("whose agents do it") String namespace,

        @Field(value = "its state", longest = 20) TaskState state,

        @Field(value = "the state of its steps", longest = 40)
        String executionStatus,

        @Field(value = TaskFields.POLICY, longest = 20) Policy policy,
        @Field(value = "who ends it", longest = 20) String finalizer,

        @Field("steps by state; active: ready, claimed or waiting for a retry")
        Counts counts,

        @Field("how often its steps have changed") long requestedSeq,

        @Field("who holds its finalization") @Nullable String processorId,

        @Field(value = "why it was cancelled", longest = Text.LONGEST_NOTE) @Nullable
        String reason,

        @Field("") Instant createdAt,
        @Field("") @Nullable Instant finishedAt) {
    record Counts(
            @Field("") long waiting,
            @Field("") long active,
            @Field("") long succeeded,
            @Field("") long failed,
            @Field("") long skipped,
            @Field("") long cancelled) {}

    static TaskJson of(Task task) {
        Counters counters = task.counters();
        return new TaskJson(
                task.id(),
                task.id(),
                task.name(),
                task.namespace(),
                task.state(),
                task.executionStatus(),
                task.policy(),
                task.finalizer().toString(),
                new Counts(
                        counters.waiting(),
                        counters.active(),
                        counters.succeeded(),
                        counters.failed(),
                        counters.skipped(),
                        counters.cancelled()),
                counters.requestedSeq(),
                task.processor(),
                task.reason(),
                task.createdAt(),
                task.finishedAt());
    }
}
