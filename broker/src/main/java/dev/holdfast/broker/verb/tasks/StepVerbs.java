package dev.holdfast.broker.verb.tasks;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Caller;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.task.FollowUps;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Working on steps: {@code claim_step claim_next_step complete_step fail_step}. */
record StepVerbs(Shapes shapes, Steps steps, FollowUps followUps, Agents agents, Claims claims, Meters meters) {
    static final String TTL = "lifetime without a heartbeat; default: 20 minutes or as configured";

    @Definition(name = "claim_next_step", effect = VerbEffect.TAKE, toolsets = Toolset.TASKS, description = """
                    Claim the next ready step, oldest first. step is null if there is none; with wait_seconds it \
                    waits for one. Do what its input says; results has the results of the steps it depends on. Send heartbeats. \
                    Example: {"holder": "claude-3fa91c", "namespace": "shop", "wait_seconds": 50}""")
    record ClaimNextStep(
            @CommonFields.Holder String holder,
            @TaskFields.OfNamespace @Nullable String namespace,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds,

            @Field(value = "how long to wait for one; default: no wait", upTo = Limit.WAIT)
            Duration waitSeconds,

            @CommonFields.RequestId @Nullable String requestId) {}

    @Definition(name = "claim_step", effect = VerbEffect.CHANGE, toolsets = Toolset.TASKS, description = """
                    Claim one step by its id. Refused with held (someone has it) or not_claimable (it waits for others, is \
                    delayed, or has ended). Example: {"step_id": "….build", "holder": "claude-3fa91c"}""")
    record ClaimStep(
            @TaskFields.StepId String stepId,
            @CommonFields.Holder String holder,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds,

            @CommonFields.RequestId @Nullable String requestId) {}

    /** Who ends a step, and whether it wants another. */
    record Next(
            @Field("also claim the next ready step") boolean next,

            @Field("with next: only of this namespace") @Nullable
            String namespace) {}

    @Definition(name = "complete_step", effect = VerbEffect.END, toolsets = Toolset.TASKS, description = """
                    Complete a step, with its result. Steps that waited for it become ready, and the last one ends \
                    the task. next: true also claims the next step. Example: {"step_id": "….build", \
                    "holder": "claude-3fa91c", "claim_generation": 1, "result": {"commit": "3f2a"}, "next": true}""")
    record CompleteStep(
            @TaskFields.StepId String stepId,
            @CommonFields.Holder String holder,
            @TaskFields.Generation long claimGeneration,

            @Field("any JSON, for the steps that depend on it") @Nullable
            JsonNode result,

            @Inline Next next) {}

    @Definition(name = "fail_step", effect = VerbEffect.END, toolsets = Toolset.TASKS, description = """
                    Report that a step failed. It is retried later until its attempts are used up or retry \
                    is false; then it has failed, and the steps that wait for it are skipped. Example: {"step_id": "….build", \
                    "holder": "claude-3fa91c", "claim_generation": 1, "error": "compiler error in Main.java"}""")
    record FailStep(
            @TaskFields.StepId String stepId,
            @CommonFields.Holder String holder,
            @TaskFields.Generation long claimGeneration,

            @Field(value = "why", longest = Text.LONGEST_NOTE)
            String error,

            @Field("whether another attempt may help; default: true") @Nullable
            Boolean retry,

            @Inline Next next) {}

    record Ended(
            @Field(value = "the step's state now", longest = 20)
            String state,

            @Field("the task now") TaskNow task,

            @Field("this had already been reported") @Nullable
            Boolean replayed,

            @Field(value = "what you now hold, as in claim_next_step; step is null if nothing is ready", brief = true)
            @Nullable
            StepGrant next) {}

    record TaskNow(
            @Field(value = "its state", longest = 20) TaskState state,

            @Field(value = "the state of its steps", longest = 40)
            String executionStatus) {
        static TaskNow of(Task task) {
            return new TaskNow(task.state(), task.executionStatus());
        }
    }

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ClaimNextStep.class, StepGrant.class, this::claimNext),
                Verb.of(shapes, ClaimStep.class, StepGrant.class, this::claim),
                Verb.of(shapes, CompleteStep.class, Ended.class, this::complete),
                Verb.of(shapes, FailStep.class, Ended.class, this::fail));
    }

    private StepGrant claimNext(ClaimNextStep given, Call call) {
        return granted(
                timed(() -> steps.claimNext(
                        given.holder(), given.namespace(), given.ttlSeconds(), given.requestId(), given.waitSeconds())),
                call);
    }

    private StepGrant claim(ClaimStep given, Call call) {
        return granted(
                timed(() -> Optional.of(
                        steps.claim(given.stepId(), given.holder(), given.ttlSeconds(), given.requestId()))),
                call);
    }

    private Optional<Steps.ClaimedStep> timed(Supplier<Optional<Steps.ClaimedStep>> claim) {
        long start = System.nanoTime();
        try {
            Optional<Steps.ClaimedStep> given = claim.get();
            count(given, start);
            return given;
        } catch (RefusedException refused) {
            meters.refused(Kind.STEP, refused.code(), System.nanoTime() - start);
            throw refused;
        }
    }

    private void count(Optional<Steps.ClaimedStep> given, long start) {
        meters.claimed(
                Kind.STEP,
                given.isPresent() ? Meters.Granted.GRANTED : Meters.Granted.NOTHING,
                false,
                System.nanoTime() - start);
    }

    /** Releases a new grant that was never delivered; an earlier one may be in use. */
    private StepGrant granted(Optional<Steps.ClaimedStep> given, Call call) {
        if (given.isPresent() && !given.get().repeated()) {
            call.whenUndelivered(() -> claims.release(given.get().claim(), null));
        }
        return given.map(StepGrant::of).orElse(StepGrant.NONE);
    }

    private Ended complete(CompleteStep given, Call call) {
        checkName(given, call);
        Fence fence = new Fence(Text.holder(given.holder()), given.claimGeneration());
        String result = TaskFields.text(given.result());
        if (!given.next().next()) {
            return ended(steps.complete(given.stepId(), fence, result), null);
        }
        long start = System.nanoTime();
        Steps.EndedAndNext both = steps.completeAndNext(
                given.stepId(), fence, result, given.holder(), given.next().namespace());
        count(both.next(), start);
        return ended(both.ended(), granted(both.next(), call));
    }

    /**
     * A step's result may become a proposal, which its author may not review. So a session must complete such a step
     * under its own name; the names of a token are its own anyway.
     */
    private void checkName(CompleteStep given, Call call) {
        if (call.caller().known() != Caller.Known.SESSION || !followUps.proposes(given.stepId())) {
            return;
        }
        if (!agents.areOne(List.of(given.holder()), call.caller().sessions())) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "the result of this step is proposed for review when its task ends, so claim and complete it as "
                            + call.caller().sessions().getFirst() + ", not as " + given.holder());
        }
    }

    private Ended fail(FailStep given, Call call) {
        Fence fence = new Fence(Text.holder(given.holder()), given.claimGeneration());
        boolean retry = given.retry() == null || given.retry();
        Steps.Ended ended = steps.fail(given.stepId(), fence, given.error(), retry);
        if (!given.next().next()) {
            return ended(ended, null);
        }
        return ended(
                ended,
                granted(
                        timed(() ->
                                steps.claimNext(given.holder(), given.next().namespace(), null, null, Duration.ZERO)),
                        call));
    }

    private static Ended ended(Steps.Ended ended, @Nullable StepGrant next) {
        return new Ended(
                ended.step().state().toString(), TaskNow.of(ended.task()), Present.ifTrue(ended.replayed()), next);
    }
}
