package dev.holdfast.broker.verb;

import dev.holdfast.broker.task.FollowUps;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Policy;
import dev.holdfast.task.Task;
import dev.holdfast.task.Tasks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Making tasks and changing what belongs to them: {@code create_task add_steps cancel_task}. */
final class TaskPlanningVerbs {
    private final Tasks tasks;
    private final FollowUps followUps;

    TaskPlanningVerbs(Tasks tasks, FollowUps followUps) {
        this.tasks = tasks;
        this.followUps = followUps;
    }

    List<Verb> verbs() {
        return List.of(
                new Verb(
                        "create_task",
                        """
                        Create a multi-step task whose steps agents claim one by one; it is ended exactly once. \
                        A step's result is passed to the steps that depend on it. Give an idempotency_key so that a retry \
                        creates no second task. on_finish: {"close_work": {"id"}}, {"open_review": {"step", "intent", "project"}} \
                        with the diff in that step's result, {"webhook": {"url"}} or {"step": {"key", "input"}}. \
                        Example: {"name": "release 1.4", "steps": [{"key": "build"}, {"key": "test", "depends_on": ["build"]}], \
                        "idempotency_key": "release-1.4"}""",
                        List.of(
                                Field.text("name", TaskFields.LONGEST_NAME, "what it is")
                                        .must(),
                                TaskFields.STEPS,
                                Field.text("namespace", Text.LONGEST_HOLDER, "whose agents do it; default: anyone's"),
                                TaskFields.POLICY,
                                Field.text("finalizer", 20, "who ends it: the broker, or an external processor")
                                        .oneOf(List.of("broker", "external")),
                                Field.anything("on_finish", "what to do at the end"),
                                Field.value("context", "any JSON, given to every step"),
                                Field.text("idempotency_key", Text.LONGEST_HOLDER, "one key creates one task")),
                        TaskFields.SUMMARY,
                        Verb.Nature.CHANGE,
                        this::create),
                new Verb(
                        "add_steps",
                        """
                        Add steps to a task that runs, as a step does that finds out what there is to do. What is there already \
                        with the same key is left as it is. Show your step_id, holder and claim_generation, so that nobody who \
                        has lost the step can add to it. Example: {"task_id": "…", "steps": [{"key": "part-1"}, {"key": "sum", \
                        "depends_on": ["part-1"]}], "step_id": "….plan", "holder": "claude-3fa91c", "claim_generation": 1}""",
                        List.of(
                                TaskFields.TASK_ID,
                                TaskFields.STEPS,
                                TaskFields.STEP_ID.maybe(),
                                ClaimVerbs.HOLDER.maybe(),
                                TaskFields.GENERATION),
                        TaskFields.SUMMARY,
                        Verb.Nature.CHANGE,
                        this::add),
                new Verb(
                        "cancel_task",
                        """
                        Stop a task: no step of it is given out any more, whoever works on one is told that its claim is lost. \
                        Example: {"task_id": "…", "reason": "not needed any more"}""",
                        List.of(
                                TaskFields.TASK_ID,
                                Field.text("reason", Text.LONGEST_NOTE, "why").must()),
                        TaskFields.SUMMARY,
                        Verb.Nature.END,
                        this::cancel));
    }

    private Answer create(Arguments given) {
        String onFinish = TaskFields.text(given.jsonOrNull("on_finish"));
        if (onFinish != null) {
            followUps.check(onFinish);
        }
        return told(tasks.create(new NewTask(
                given.text("name"),
                Objects.requireNonNullElse(given.textOrNull("namespace"), ""),
                TaskFields.steps(given),
                Policy.of(Objects.requireNonNullElse(given.textOrNull("policy"), Policy.ALL_SUCCEEDED.toString())),
                Finalizer.of(Objects.requireNonNullElse(given.textOrNull("finalizer"), Finalizer.BROKER.toString())),
                onFinish,
                TaskFields.text(given.jsonOrNull("context")),
                given.textOrNull("idempotency_key"))));
    }

    private Answer add(Arguments given) {
        String by = given.textOrNull("step_id");
        String holder = given.textOrNull("holder");
        Long generation = given.numberOrNull("claim_generation");
        if ((by == null) != (generation == null) || (by != null && holder == null)) {
            throw new InvalidException("step_id, holder and claim_generation go together: give all three, or none");
        }
        @Nullable Fence fence = by == null || holder == null ? null : new Fence(Text.holder(holder), generation);
        return told(tasks.add(given.text("task_id"), TaskFields.steps(given), by, fence));
    }

    private Answer cancel(Arguments given) {
        return told(tasks.cancel(given.text("task_id"), given.text("reason")));
    }

    private static Answer told(Task task) {
        Map<String, @Nullable Object> json = TaskFields.summary(task);
        return Answer.of(json);
    }
}
