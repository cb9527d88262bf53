package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.task.FinalizationAnswer;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.TaskState;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finalization by processors: {@code claim_finalization extend_finalization release_finalization finish_task}. Here a
 * claim that is not granted is an ordinary answer with a code.
 */
record FinalizationVerbs(Shapes shapes, Finalizations finalizations) {
    static final String TASK_STATE = "not_found, complete, or the state of the steps";
    static final String MESSAGE = "the answer as text";
    static final String WHO = "who holds it";
    static final String SEQ = "the last change of the steps; pass it as handled_seq";
    static final String CODE = "why not, for programs";
    static final String HANDLED = "the requested_seq you have seen; default: that of your claim or last extension";
    static final String TIMEOUT = "how long the claim lasts; default: 30 or as configured";

    @Field(value = "who you are: a new id for each thread and start", filled = true, actor = true)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Processor {}

    @Definition(name = "claim_finalization", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Claim the right to end a task (finalizer: external), once a step of it has ended. claimed: false means \
                    there is nothing for you to do: the current holder will see what you saw. \
                    Example: {"task_id": "…", "processor_id": "merger-7f3a"}""")
    record Claim(
            @TaskFields.TaskId String taskId,
            @Processor String processorId,

            @Field(value = TIMEOUT, min = 1, upTo = Limit.FINALIZATION) @Nullable
            Duration timeoutSeconds,

            @TaskFields.Generation @Nullable Long claimGeneration) {}

    record Claimed(
            @Field("it is yours") boolean claimed,

            @Field(value = WHO, orNull = true) @Nullable String alreadyClaimedBy,

            @Field(value = TASK_STATE, longest = 40) String taskState,

            @Field(value = MESSAGE, longest = Text.LONGEST_NOTE)
            String message,

            @Field(value = "pass it with every call about this claim", orNull = true) @Nullable
            Long claimGeneration,

            @Field(value = SEQ, orNull = true) @Nullable Long requestedSeq,

            @Field(value = CODE, longest = 20) @Nullable String code) {}

    @Definition(name = "extend_finalization", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Extend your claim before it expires; extended: false means that it is lost. \
                    Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1}""")
    record Extend(
            @TaskFields.TaskId String taskId,
            @Processor String processorId,
            @TaskFields.Generation long claimGeneration,

            @Field(value = TIMEOUT, min = 1, upTo = Limit.FINALIZATION) @Nullable
            Duration timeoutSeconds) {}

    record Extended(
            @Field("it is still yours") boolean extended,

            @Field(value = WHO, orNull = true) @Nullable String alreadyClaimedBy,

            @Field(value = TASK_STATE, longest = 40) String taskState,

            @Field(value = MESSAGE, longest = Text.LONGEST_NOTE)
            String message,

            @Field(value = SEQ, orNull = true) @Nullable Long requestedSeq,

            @Field(value = CODE, longest = 20) @Nullable String code) {}

    @Definition(name = "release_finalization", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Release your claim without ending the task. If it may end, or has changed since you looked, it is offered \
                    again. Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1, "handled_seq": 4}""")
    record Release(
            @TaskFields.TaskId String taskId,
            @Processor String processorId,
            @TaskFields.Generation @Nullable Long claimGeneration,
            @Field(HANDLED) @Nullable Long handledSeq) {}

    record Released(
            @Field("you held it and have released it") boolean released,
            @Field(value = CODE, longest = 20) @Nullable String code) {}

    @Definition(name = "finish_task", effect = VerbEffect.END, toolsets = Toolset.TASKS, description = """
                    End a task. Needs the current claim, the latest change seen, and a policy that allows the end. \
                    reevaluate: true means that steps have changed; check again and retry with the new requested_seq. \
                    Example: {"task_id": "…", "processor_id": "merger-7f3a", "claim_generation": 1, "handled_seq": 4}""")
    record Finish(
            @TaskFields.TaskId String taskId,
            @Processor String processorId,
            @TaskFields.Generation long claimGeneration,
            @Field(HANDLED) @Nullable Long handledSeq,

            @Field(
                    value = "how it ends; default: as the policy says",
                    longest = 20,
                    words = {"complete", "failed"})
            @Nullable
            TaskState outcome) {}

    record Finished(
            @Field("it has ended, by this call or an earlier identical one")
            boolean finished,

            @Field(value = TASK_STATE, longest = 40) String taskState,
            @Field("steps have changed since you looked") boolean reevaluate,

            @Field(value = SEQ, orNull = true) @Nullable Long requestedSeq,

            @Field(value = MESSAGE, longest = Text.LONGEST_NOTE)
            String message,

            @Field(value = CODE, longest = 20) @Nullable String code) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, Claim.class, Claimed.class, this::claim),
                Verb.of(shapes, Extend.class, Extended.class, this::extend),
                Verb.of(shapes, Release.class, Released.class, this::release),
                Verb.of(shapes, Finish.class, Finished.class, this::finish));
    }

    private Claimed claim(Claim given, Call call) {
        Finalizations.Claimed claimed = finalizations.claim(
                given.taskId(), given.processorId(), given.timeoutSeconds(), given.claimGeneration());
        Long generation = claimed.claimGeneration();
        if (claimed.answer() == FinalizationAnswer.GRANTED && generation != null) {
            call.whenUndelivered(() -> finalizations.release(given.taskId(), given.processorId(), generation, 0L));
        }
        return new Claimed(
                claimed.claimed(),
                claimed.alreadyClaimedBy(),
                claimed.taskState(),
                claimed.message(),
                generation,
                claimed.requestedSeq(),
                code(claimed.answer()));
    }

    private Extended extend(Extend given) {
        Finalizations.Claimed claimed = finalizations.claim(
                given.taskId(), given.processorId(), given.timeoutSeconds(), given.claimGeneration());
        return new Extended(
                claimed.claimed(),
                claimed.alreadyClaimedBy(),
                claimed.taskState(),
                claimed.message(),
                claimed.requestedSeq(),
                code(claimed.answer()));
    }

    private Released release(Release given) {
        boolean released = finalizations.release(
                given.taskId(), Text.holder(given.processorId()), given.claimGeneration(), given.handledSeq());
        return new Released(released, released ? null : code(FinalizationAnswer.NOT_OWNED));
    }

    private Finished finish(Finish given) {
        Finalizations.Finished finished = finalizations.finish(
                given.taskId(),
                Text.holder(given.processorId()),
                given.claimGeneration(),
                given.handledSeq(),
                given.outcome());
        return new Finished(
                finished.finished(),
                finished.taskState(),
                finished.reevaluate(),
                finished.requestedSeq(),
                finished.message(),
                code(finished.answer()));
    }

    private static @Nullable String code(FinalizationAnswer answer) {
        RefusalCode code = answer.code();
        return code == null ? null : code.toString();
    }
}
