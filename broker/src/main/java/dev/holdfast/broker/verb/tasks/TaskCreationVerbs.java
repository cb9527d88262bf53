package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.task.FollowUps;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Policy;
import dev.holdfast.task.Tasks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Creating and changing tasks: {@code create_task add_steps cancel_task}. */
record TaskCreationVerbs(Shapes shapes, Tasks tasks, FollowUps followUps) {
    /** A step of a new task. */
    record StepGiven(
            @Field(value = "its name in the task", longest = TaskFields.LONGEST_KEY)
            String key,

            @Field(
                    value = "keys of steps that must succeed first",
                    longest = TaskFields.LONGEST_KEY,
                    max = TaskFields.MAX_STEPS)
            List<String> dependsOn,

            @Field("any JSON, for the agent that does it") @Nullable
            JsonNode input,

            @Field(value = "how often it may fail or be abandoned; default: " + NewStep.ATTEMPTS, min = 1, max = 100)
            @Nullable
            Integer maxAttempts) {
        NewStep made() {
            return new NewStep(
                    key, dependsOn, TaskFields.text(input), Objects.requireNonNullElse(maxAttempts, NewStep.ATTEMPTS));
        }
    }

    @Definition(name = "create_task", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Create a multi-step task whose steps agents claim one by one; the task ends exactly once. \
                    A step's result is passed to the steps that depend on it. Give an idempotency_key so a retry \
                    does not create a second task. on_finish: {"close_work": {"id"}}, {"open_review": {"step", "intent", "project"}} \
                    with the diff in that step's result, {"webhook": {"url"}} or {"step": {"key", "input"}}. \
                    Example: {"name": "release 1.4", "steps": [{"key": "build"}, {"key": "test", "depends_on": ["build"]}], \
                    "idempotency_key": "release-1.4"}""")
    record CreateTask(
            @Field(value = "what it is", longest = TaskFields.LONGEST_NAME)
            String name,

            @Field(value = "what to do", max = TaskFields.MAX_STEPS, must = true)
            List<StepGiven> steps,

            @Field("which agents do it; default: any") @Nullable
            String namespace,

            @Field(value = TaskFields.POLICY, longest = 20) @Nullable
            Policy policy,

            @Field(value = "who ends it: the broker, or an external processor", longest = 20) @Nullable
            Finalizer finalizer,

            @Field(value = "what to do at the end", brief = true) @Nullable
            JsonNode onFinish,

            @Field("any JSON, given to every step") @Nullable
            JsonNode context,

            @Field("one key creates one task") @Nullable String idempotencyKey,
            @CommonFields.Holder @Nullable String holder) {}

    @Definition(name = "add_steps", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Add steps to a running task, from a step that discovers more work. A step whose key exists is left \
                    unchanged. Pass your step_id, holder and claim_generation. Example: {"task_id": "…", "steps": [{"key": "part-1"}, {"key": "sum", \
                    "depends_on": ["part-1"]}], "step_id": "….plan", "holder": "claude-3fa91c", "claim_generation": 1}""")
    record AddSteps(
            @TaskFields.TaskId String taskId,

            @Field(value = "what to do", max = TaskFields.MAX_STEPS, must = true)
            List<StepGiven> steps,

            @TaskFields.StepId @Nullable String stepId,
            @CommonFields.Holder @Nullable String holder,
            @TaskFields.Generation @Nullable Long claimGeneration) {}

    @Definition(
            name = "cancel_task",
            effect = VerbEffect.END,
            toolsets = Toolset.TASKS,
            overrules = true,
            description = """
                    Cancel a task: its steps are no longer handed out, and agents working on one lose their claim. \
                    Example: {"task_id": "…", "reason": "no longer needed"}""")
    record CancelTask(
            @TaskFields.TaskId String taskId,

            @Field(value = "why", longest = Text.LONGEST_NOTE)
            String reason,

            @CommonFields.Holder @Nullable String holder) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, CreateTask.class, TaskJson.class, this::create),
                Verb.of(shapes, AddSteps.class, TaskJson.class, this::add),
                Verb.of(shapes, CancelTask.class, TaskJson.class, this::cancel));
    }

    private TaskJson create(CreateTask given, Call call) {
        String onFinish = TaskFields.text(given.onFinish());
        if (onFinish != null) {
            followUps.check(onFinish);
        }
        NewTask asked = new NewTask(
                given.name(),
                Objects.requireNonNullElse(given.namespace(), ""),
                given.steps().stream().map(StepGiven::made).toList(),
                Objects.requireNonNullElse(given.policy(), Policy.ALL_SUCCEEDED),
                Objects.requireNonNullElse(given.finalizer(), Finalizer.BROKER),
                onFinish,
                TaskFields.text(given.context()),
                given.idempotencyKey());
        return TaskJson.of(tasks.create(asked, caller(given.holder(), call)));
    }

    private static @Nullable String caller(@Nullable String holder, Call call) {
        String said = holder == null ? null : Text.holder(holder);
        return call.caller().saying(said).name();
    }

    private TaskJson add(AddSteps given) {
        String by = given.stepId();
        String holder = given.holder();
        Long generation = given.claimGeneration();
        if ((by == null) != (generation == null) || (by != null && holder == null)) {
            throw new InvalidException("step_id, holder and claim_generation go together: give all three, or none");
        }
        @Nullable Fence fence = by == null || holder == null ? null : new Fence(Text.holder(holder), generation);
        return TaskJson.of(tasks.add(
                given.taskId(), given.steps().stream().map(StepGiven::made).toList(), by, fence));
    }

    private TaskJson cancel(CancelTask given, Call call) {
        return TaskJson.of(tasks.cancel(given.taskId(), given.reason(), caller(given.holder(), call)));
    }
}
