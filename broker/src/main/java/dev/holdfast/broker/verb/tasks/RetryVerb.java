package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.task.Tasks;

/** Retrying a task's failed steps and actions at once: {@code retry_task}. */
record RetryVerb(Shapes shapes, Tasks tasks) {
    @Definition(name = "retry_task", effect = VerbEffect.CHANGE, forPeople = true, description = """
                    Retry at once everything in a task that failed and is waiting for its next attempt: its steps, and its \
                    on_finish actions, even those that were given up. Example: {"task_id": "…"}""")
    record RetryTask(@TaskFields.TaskId String taskId) {}

    record Retried(
            @Field("how many steps and actions are retried") long again) {}

    Verb verb() {
        return Verb.of(shapes, RetryTask.class, Retried.class, this::retry);
    }

    private Retried retry(RetryTask given) {
        int again = tasks.retry(given.taskId());
        if (again == 0) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE, "nothing of task " + given.taskId() + " is waiting for a retry");
        }
        return new Retried(again);
    }
}
