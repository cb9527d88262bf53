package dev.holdfast.broker.task;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Policy;
import dev.holdfast.task.Step;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import dev.holdfast.task.Tasks;
import dev.holdfast.token.TeamToken;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkStatus;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The four actions that can follow the end of a task. All are safe to repeat: a closed item stays closed, the review
 * and the next task have the ended task's id as key, and a webhook receives that key.
 */
record FollowUpActions(Tasks tasks, WorkItems work, Reviews reviews, Webhooks webhooks) {
    private static final String BROKER = "holdfast";

    void act(Task task, OnFinish wanted) throws IOException, InterruptedException {
        switch (wanted) {
            case OnFinish.CloseWork item -> {
                if (task.state() == TaskState.COMPLETE) {
                    close(task, item);
                }
            }
            case OnFinish.OpenReview review -> {
                if (task.state() == TaskState.COMPLETE) {
                    open(task, review);
                }
            }
            case OnFinish.Webhook webhook -> webhooks.call(webhook.url(), task.id(), json(task));
            case OnFinish.FollowUp step -> follow(task, step);
        }
    }

    private void close(Task task, OnFinish.CloseWork item) {
        String reason = item.reason();
        boolean closed = work.backlog()
                        .find(item.id())
                        .orElseThrow(() -> new InvalidException("there is no work item " + item.id()))
                        .status()
                == WorkStatus.CLOSED;
        if (!closed) {
            work.closing()
                    .close(
                            item.id(),
                            new Fence(BROKER, null),
                            reason == null ? "task " + task.id() + " is complete" : reason,
                            null);
        }
    }

    private void open(Task task, OnFinish.OpenReview wanted) {
        JsonNode result = tasks.step(task.id(), wanted.step())
                .map(Step::result)
                .map(json -> JsonMapper.shared().readTree(json))
                .orElseThrow(() -> new InvalidException("step " + wanted.step() + " has no result"));
        JsonNode diff = result.isObject() ? result.path("diff") : result;
        if (!diff.isString()) {
            throw new InvalidException("the result of step " + wanted.step() + " has no diff");
        }
        Caller by = tasks.completedBy(task.id(), wanted.step())
                .map(FollowUpActions::callerNamed)
                .orElse(Caller.UNKNOWN);
        reviews.proposals()
                .create(
                        "task-" + task.id(),
                        Proposal.of(wanted.intent(), BROKER, "proposer", task.name())
                                .project(wanted.project())
                                .diff(diff.stringValue()),
                        by);
    }

    /** Whoever did the step wrote the diff and may not review it, nor may the owner of the name it is below. */
    private static Caller callerNamed(String name) {
        int below = name.indexOf(TeamToken.BELOW);
        List<String> owner = below < 0 ? List.of() : List.of(name.substring(0, below));
        return new Caller(Caller.Known.NAME, name, owner, null, null);
    }

    private void follow(Task task, OnFinish.FollowUp wanted) {
        JsonNode input = wanted.input();
        NewStep step = new NewStep(wanted.key(), List.of(), input == null ? null : input.toString(), NewStep.ATTEMPTS);
        tasks.create(new NewTask(
                wanted.key() + " after " + task.name(),
                task.namespace(),
                List.of(step),
                Policy.ALL_SUCCEEDED,
                Finalizer.BROKER,
                null,
                json(task),
                "after:" + task.id()));
    }

    private static String json(Task task) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("task_id", task.id());
        json.put("name", task.name());
        json.put("namespace", task.namespace());
        json.put("state", task.state().toString());
        json.put("succeeded", task.counters().succeeded());
        json.put("failed", task.counters().failed());
        json.put("skipped", task.counters().skipped());
        json.put("finished_at", String.valueOf(task.finishedAt()));
        return JsonMapper.shared().writeValueAsString(json);
    }
}
