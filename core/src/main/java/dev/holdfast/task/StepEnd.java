package dev.holdfast.task;

import dev.holdfast.claim.Completion;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Told;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a holder says about the end of its step.
 *
 * @param state succeeded or failed
 * @param error why it failed
 */
record StepEnd(
        String stepId,
        Fence fence,
        StepState state,
        @Nullable String result,
        @Nullable String error) {
    static StepEnd succeeded(String stepId, Fence fence, @Nullable String result) {
        return new StepEnd(stepId, fence, StepState.SUCCEEDED, result, null);
    }

    static StepEnd failed(String stepId, Fence fence, String error) {
        return new StepEnd(stepId, fence, StepState.FAILED, null, error);
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
                new Told("step_" + state, fence.holder(), Map.of()));
    }
}
