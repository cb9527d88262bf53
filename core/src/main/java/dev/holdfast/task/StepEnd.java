package dev.holdfast.task;

import dev.holdfast.claim.Completion;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.NextRequest;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A holder's report that its step has ended.
 *
 * @param state succeeded or failed
 * @param error why it failed
 * @param next what the holder wants to claim next; null: not asked for
 */
record StepEnd(
        String stepId,
        Fence fence,
        StepState state,
        @Nullable String result,
        @Nullable String error,
        @Nullable NextRequest next) {
    static StepEnd succeeded(String stepId, Fence fence, @Nullable String result, @Nullable NextRequest next) {
        return new StepEnd(stepId, fence, StepState.SUCCEEDED, result, null, next);
    }

    static StepEnd failed(String stepId, Fence fence, String error) {
        return new StepEnd(stepId, fence, StepState.FAILED, null, error, null);
    }

    String taskId() {
        return Step.taskOf(stepId);
    }

    Completion completion() {
        String content = state == StepState.SUCCEEDED ? result : error;
        return new Completion(
                Step.resource(stepId),
                fence,
                Ending.completed(state.toString(), Objects.requireNonNullElse(content, "")),
                new DomainEvent("step_" + state, fence.holder(), Map.of()));
    }
}
