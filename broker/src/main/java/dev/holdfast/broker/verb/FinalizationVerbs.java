package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.task.FinalizationAnswer;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.TaskState;
import dev.holdfast.task.Tasks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ending tasks that leave it to others: {@code claim_finalization extend_finalization release_finalization finish_task}.
 * What is not granted is an ordinary answer here, with all its parts and a {@code code}.
 */
final class FinalizationVerbs {
    private static final Field PROCESSOR = Field.text(
                    "processor_id", Text.LONGEST_HOLDER, "who you are; unique per thread and start")
            .filled()
            .ofActor()
            .must();
    private static final Field TASK_STATE = Field.text("task_state", 40, "not_found, complete, or what the steps say")
            .must();
    private static final Field MESSAGE =
            Field.text("message", Text.LONGEST_NOTE, "the answer as text").must();
    private static final Field SEQ = Field.integer(
                    "requested_seq", 0L, null, "the last change of the steps; pass it as handled_seq")
            .orNull();
    private static final Field CODE = Field.text("code", 20, "why not, for programs");
    private static final Field HANDLED = Field.integer(
            "handled_seq", 0L, null, "the requested_seq you have seen; default: that of your claim or last extension");

    private final Finalizations finalizations;
    private final Field timeout;

    FinalizationVerbs(Tasks tasks, Claims claims) {
        finalizations = tasks.finalizations();
        timeout = Field.integer(
                "timeout_seconds",
                1L,
                Math.min(86_400, claims.leases().longest().toSeconds()),
                "how long the claim lasts; default: 30 or as configured");
    }

    List<Verb> verbs() {
        List<Field> claimed = List.of(
                Field.flag("claimed", "it is yours").must(),
                Field.text("already_claimed_by", Text.LONGEST_HOLDER, "who holds it")
                        .orNull(),
                TASK_STATE,
                MESSAGE,
                Field.integer("claim_generation", 0L, null, "pass it with every call about this claim")
                        .orNull(),
                SEQ,
                CODE);
        return List.of(
                new Verb(
                        "claim_finalization",
                        """
                        Claim the right to end a task (finalizer: external), once a step of it has ended. claimed: false means \
                        there is nothing for you to do: the current holder will see what you saw. \
                        Example: {"task_id": "…", "processor_id": "merger-7f3a"}""",
                        List.of(TaskFields.TASK_ID, PROCESSOR, timeout, TaskFields.GENERATION),
                        claimed,
                        Verb.Nature.CHANGE,
                        this::claim),
                new Verb(
                        "extend_finalization",
                        """
                        Extend your claim before it expires; extended: false means that it is lost. \
                        Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1}""",
                        List.of(TaskFields.TASK_ID, PROCESSOR, TaskFields.GENERATION.must(), timeout),
                        List.of(
                                Field.flag("extended", "it is still yours").must(),
                                Field.text("already_claimed_by", Text.LONGEST_HOLDER, "who holds it")
                                        .orNull(),
                                TASK_STATE,
                                MESSAGE,
                                SEQ,
                                CODE),
                        Verb.Nature.CHANGE,
                        this::extend),
                new Verb(
                        "release_finalization",
                        """
                        Release your claim without ending the task. If it may end, or has changed since you looked, it is offered \
                        again. Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1, "handled_seq": 4}""",
                        List.of(TaskFields.TASK_ID, PROCESSOR, TaskFields.GENERATION, HANDLED),
                        List.of(
                                Field.flag("released", "you held it and have released it")
                                        .must(),
                                CODE),
                        Verb.Nature.CHANGE,
                        this::release),
                new Verb(
                        "finish_task",
                        """
                        End a task. Needs the current claim, the latest change seen, and a policy that allows the end. \
                        reevaluate: true means that steps have changed; check again and retry with the new requested_seq. \
                        Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1, "handled_seq": 4}""",
                        List.of(
                                TaskFields.TASK_ID,
                                PROCESSOR,
                                TaskFields.GENERATION.must(),
                                HANDLED,
                                Field.text("outcome", 20, "how it ends; default: as the policy says")
                                        .oneOf(List.of("complete", "failed"))),
                        List.of(
                                Field.flag("finished", "it has ended, by this call or an earlier identical one")
                                        .must(),
                                TASK_STATE,
                                Field.flag("reevaluate", "steps have changed since you looked")
                                        .must(),
                                SEQ,
                                MESSAGE,
                                CODE),
                        Verb.Nature.END,
                        this::finish));
    }

    private Answer claim(Arguments given) {
        Finalizations.Claimed claimed = claimed(given);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("claimed", claimed.claimed());
        json.put("already_claimed_by", claimed.alreadyClaimedBy());
        json.put("task_state", claimed.taskState());
        json.put("message", claimed.message());
        json.put("claim_generation", claimed.claimGeneration());
        json.put("requested_seq", claimed.requestedSeq());
        ClaimVerbs.putIfGiven(json, "code", text(claimed.answer().code()));
        Answer answer = Answer.of(json);
        Long generation = claimed.claimGeneration();
        return claimed.answer() == FinalizationAnswer.GRANTED && generation != null
                ? answer.whenUndelivered(
                        () -> finalizations.release(given.text("task_id"), given.text("processor_id"), generation, 0L))
                : answer;
    }

    private Finalizations.Claimed claimed(Arguments given) {
        Long seconds = given.numberOrNull("timeout_seconds");
        return finalizations.claim(
                given.text("task_id"),
                given.text("processor_id"),
                seconds == null ? null : Duration.ofSeconds(seconds),
                given.numberOrNull("claim_generation"));
    }

    private Answer extend(Arguments given) {
        Finalizations.Claimed claimed = claimed(given);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("extended", claimed.claimed());
        json.put("already_claimed_by", claimed.alreadyClaimedBy());
        json.put("task_state", claimed.taskState());
        json.put("message", claimed.message());
        json.put("requested_seq", claimed.requestedSeq());
        ClaimVerbs.putIfGiven(json, "code", text(claimed.answer().code()));
        return Answer.of(json);
    }

    private Answer release(Arguments given) {
        boolean released = finalizations.release(
                given.text("task_id"),
                Text.holder(given.text("processor_id")),
                given.numberOrNull("claim_generation"),
                given.numberOrNull("handled_seq"));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("released", released);
        if (!released) {
            json.put("code", text(FinalizationAnswer.NOT_OWNED.code()));
        }
        return Answer.of(json);
    }

    private Answer finish(Arguments given) {
        String outcome = given.textOrNull("outcome");
        Finalizations.Finished finished = finalizations.finish(
                given.text("task_id"),
                Text.holder(given.text("processor_id")),
                given.number("claim_generation", 0),
                given.numberOrNull("handled_seq"),
                outcome == null ? null : TaskState.valueOf(outcome.toUpperCase(Locale.ROOT)));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("finished", finished.finished());
        json.put("task_state", finished.taskState());
        json.put("reevaluate", finished.reevaluate());
        json.put("requested_seq", finished.requestedSeq());
        json.put("message", finished.message());
        ClaimVerbs.putIfGiven(json, "code", text(finished.answer().code()));
        return Answer.of(json);
    }

    private static @Nullable String text(@Nullable RefusalCode code) {
        return code == null ? null : code.toString();
    }
}
