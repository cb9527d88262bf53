package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.claim.Claim;
import dev.holdfast.task.Step;
import dev.holdfast.task.Steps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A granted step, or nothing. */
record StepGrant(
        @Field(
                value = "step_id, task_id, key, input, results (of its dependencies, by key), results_left_out"
                        + " (keys of those beyond 8 MB; get_task has them), context, attempts",
                brief = true,
                orNull = true)
        @Nullable
        GivenStep step,

        @Field("you") @Nullable String holder,

        @Field("pass it with every call about this claim") @Nullable
        Long claimGeneration,

        @Field("when it expires, unless a heartbeat extends it") @Nullable
        Instant expiresAt) {
    static final StepGrant NONE = new StepGrant(null, null, null, null);

    /** What an agent needs to do the step; JSON is returned as it was given. */
    record GivenStep(
            String id,
            String stepId,
            String taskId,
            String key,
            @Field(orNull = true) @Nullable JsonNode input,
            Map<String, @Nullable JsonNode> results,
            @Nullable List<String> resultsLeftOut,
            @Nullable JsonNode context,
            long attempts) {}

    static StepGrant of(Steps.ClaimedStep given) {
        Step step = given.step();
        Map<String, @Nullable JsonNode> results = new LinkedHashMap<>();
        given.dependencies().forEach(before -> results.put(before.key(), TaskFields.json(before.result())));
        given.leftOut().forEach(results::remove);
        Claim claim = given.claim();
        return new StepGrant(
                new GivenStep(
                        step.id(),
                        step.id(),
                        step.taskId(),
                        step.key(),
                        TaskFields.json(step.input()),
                        results,
                        Present.ifAny(given.leftOut()),
                        TaskFields.json(given.context()),
                        step.attempts()),
                claim.holder(),
                claim.generation(),
                claim.expiresAt());
    }
}
