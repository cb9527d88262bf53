package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Counters;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.Policy;
import dev.holdfast.task.Step;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the verbs of tasks take and tell alike. */
final class TaskFields {
    static final int LONGEST_NAME = 500;
    private static final int LONGEST_KEY = 100;
    private static final int LONGEST_ID = Text.LONGEST_HOLDER;

    static final Field TASK_ID = Field.text("task_id", LONGEST_ID, "the task").must();
    static final Field STEP_ID = Field.text("step_id", LONGEST_ID + LONGEST_KEY, "the step, as in its claim")
            .must();
    static final Field NAMESPACE = Field.text("namespace", Text.LONGEST_HOLDER, "only of this namespace");
    static final Field GENERATION = Field.integer("claim_generation", 0L, null, "the generation of your claim");
    static final Field STATE = Field.text("state", 20, "its state")
            .oneOf(Arrays.stream(TaskState.values()).map(TaskState::toString).toList());
    static final Field POLICY = Field.text(
                    "policy",
                    20,
                    "when it may end: all_succeeded (every step has ended; complete if none failed), all_settled (the "
                            + "same; complete even if some failed), fail_fast (at the first failure)")
            .oneOf(Arrays.stream(Policy.values()).map(Policy::toString).toList());

    static final Field STEPS = Field.objects(
                    "steps",
                    "what to do",
                    List.of(
                            Field.text("key", LONGEST_KEY, "its name in the task")
                                    .must(),
                            Field.texts("depends_on", LONGEST_KEY, "keys of steps that must succeed first")
                                    .atMost(10_000),
                            Field.value("input", "any JSON, for the agent that does it"),
                            Field.integer(
                                    "max_attempts",
                                    1L,
                                    100L,
                                    "how often it may fail or be abandoned; default: " + NewStep.ATTEMPTS)))
            .atMost(10_000)
            .must();

    private static final Field COUNTS = Field.object(
                    "counts",
                    "steps by state; active: ready, claimed or waiting for a retry",
                    Stream.of("waiting", "active", "succeeded", "failed", "skipped", "cancelled")
                            .map(name -> Field.integer(name, 0L, null, "").must())
                            .toList())
            .must();

    static final List<Field> SUMMARY = List.of(
            TASK_ID,
            Field.text("name", LONGEST_NAME, "what it is").must(),
            Field.text("namespace", Text.LONGEST_HOLDER, "whose agents do it").must(),
            STATE.must(),
            Field.text("execution_status", 40, "what its steps say about it").must(),
            POLICY.must(),
            Field.text("finalizer", 20, "who ends it").must(),
            COUNTS,
            Field.integer("requested_seq", 0L, null, "how often its steps have changed")
                    .must(),
            Field.text("processor_id", Text.LONGEST_HOLDER, "who has claimed to end it"),
            Field.text("reason", Text.LONGEST_NOTE, "why it was cancelled"),
            Field.time("created_at", "").must(),
            Field.time("finished_at", ""));

    static final Field TASK = Field.object(
                    "task",
                    "the task now",
                    List.of(
                            STATE.must(),
                            Field.text("execution_status", 40, "what its steps say about it")
                                    .must()))
            .must();

    /** The same text would stand in several schemas. */
    static final Field STEP = Field.anything(
            "step", "step_id, task_id, key, input, results (of its dependencies, by key), context, attempts");

    static final List<Field> STEP_CLAIM = List.of(
            Field.text("holder", Text.LONGEST_HOLDER, "you"),
            Field.integer("claim_generation", 0L, null, "pass it with every call about this claim"),
            Field.time("expires_at", "when it expires, unless a heartbeat extends it"));

    private TaskFields() {}

    static List<NewStep> steps(Arguments given) {
        return given.objects("steps").stream()
                .map(step -> new NewStep(
                        step.text("key"), List.copyOf(step.texts("depends_on")), text(step.jsonOrNull("input")), (int)
                                step.number("max_attempts", NewStep.ATTEMPTS)))
                .toList();
    }

    static @Nullable String text(@Nullable JsonNode json) {
        return json == null ? null : json.toString();
    }

    private static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : JsonMapper.shared().readTree(text);
    }

    static Map<String, @Nullable Object> summary(Task task) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("task_id", task.id());
        told.put("name", task.name());
        told.put("namespace", task.namespace());
        told.put("state", task.state().toString());
        told.put("execution_status", task.executionStatus());
        told.put("policy", task.policy().toString());
        told.put("finalizer", task.finalizer().toString());
        told.put("counts", counts(task.counters()));
        told.put("requested_seq", task.counters().requestedSeq());
        ClaimVerbs.putIfGiven(told, "processor_id", task.processor());
        ClaimVerbs.putIfGiven(told, "reason", task.reason());
        told.put("created_at", ClaimJson.time(task.createdAt()));
        ClaimVerbs.putIfGiven(told, "finished_at", time(task.finishedAt()));
        return told;
    }

    private static Map<String, @Nullable Object> counts(Counters counters) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("waiting", counters.waiting());
        told.put("active", counters.active());
        told.put("succeeded", counters.succeeded());
        told.put("failed", counters.failed());
        told.put("skipped", counters.skipped());
        told.put("cancelled", counters.cancelled());
        return told;
    }

    static Map<String, @Nullable Object> task(Task task) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("state", task.state().toString());
        told.put("execution_status", task.executionStatus());
        return told;
    }

    static void putDetails(Map<String, @Nullable Object> told, Task task) {
        ClaimVerbs.putIfGiven(told, "context", json(task.context()));
        ClaimVerbs.putIfGiven(told, "on_finish", json(task.onFinish()));
    }

    static Map<String, @Nullable Object> step(Step step, List<String> dependsOn, boolean withResult) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("step_id", step.id());
        told.put("key", step.key());
        told.put("state", step.state().toString());
        if (!dependsOn.isEmpty()) {
            told.put("depends_on", dependsOn);
        }
        told.put("attempts", step.attempts());
        told.put("max_attempts", step.maxAttempts());
        ClaimVerbs.putIfGiven(told, "holder", step.holder());
        ClaimVerbs.putIfGiven(told, "claimed_at", time(step.claimedAt()));
        ClaimVerbs.putIfGiven(told, "expires_at", time(step.expiresAt()));
        ClaimVerbs.putIfGiven(told, "not_before", time(step.notBefore()));
        ClaimVerbs.putIfGiven(told, "error", step.error());
        ClaimVerbs.putIfGiven(told, "finished_at", time(step.finishedAt()));
        if (withResult) {
            ClaimVerbs.putIfGiven(told, "input", json(step.input()));
            ClaimVerbs.putIfGiven(told, "result", json(step.result()));
        }
        return told;
    }

    static Map<String, @Nullable Object> given(Steps.@Nullable Given given) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        if (given == null) {
            told.put("step", null);
            return told;
        }
        Step step = given.step();
        Map<String, @Nullable Object> what = new LinkedHashMap<>();
        what.put("step_id", step.id());
        what.put("task_id", step.taskId());
        what.put("key", step.key());
        what.put("input", json(step.input()));
        Map<String, @Nullable Object> results = new LinkedHashMap<>();
        given.dependencies().forEach(before -> results.put(before.key(), json(before.result())));
        what.put("results", results);
        ClaimVerbs.putIfGiven(what, "context", json(given.context()));
        what.put("attempts", step.attempts());
        told.put("step", what);
        Claim claim = given.claim();
        told.put("holder", claim.holder());
        told.put("claim_generation", claim.generation());
        told.put("expires_at", ClaimJson.time(claim.expiresAt()));
        return told;
    }

    private static @Nullable String time(@Nullable Instant time) {
        return time == null ? null : ClaimJson.time(time);
    }
}
