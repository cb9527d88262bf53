package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Tasks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Doing steps: {@code claim_step claim_next_step complete_step fail_step}. */
final class StepVerbs {
    private static final List<Field> GRANT = Stream.concat(
                    Stream.of(TaskFields.STEP.orNull()), TaskFields.STEP_CLAIM.stream())
            .toList();

    private static final List<Field> ENDED = List.of(
            Field.text("state", 20, "the step's state now").must(),
            TaskFields.TASK,
            Field.flag("replayed", "this had already been reported"),
            Field.anything("next", "what you now hold, as in claim_next_step; step is null if nothing is ready"));

    private final Steps steps;
    private final Claims claims;
    private final Meters meters;
    private final Field ttl;
    private final Field wait;
    private final Field next = Field.flag("next", "also claim the next ready step");
    private final Field nextNamespace =
            Field.text("namespace", Text.LONGEST_HOLDER, "with next: only of this namespace");

    StepVerbs(Tasks tasks, Claims claims, Meters meters, Config.Limits limits) {
        steps = tasks.steps();
        this.claims = claims;
        this.meters = meters;
        ttl = Field.integer(
                "ttl_seconds",
                1L,
                claims.leases().longest().toSeconds(),
                "how long the claim lasts without a heartbeat; default: 20 minutes or as configured");
        wait = Field.integer(
                "wait_seconds", 0L, limits.longestWait().toSeconds(), "how long to wait for one; default: no wait");
    }

    List<Verb> verbs() {
        return List.of(
                new Verb(
                        "claim_next_step",
                        """
                        Claim the next ready step, oldest first. step is null if there is none; with wait_seconds it \
                        waits for one. Do what its input says; results has the results of the steps it depends on. Send heartbeats. \
                        Example: {"holder": "claude-3fa91c", "namespace": "shop", "wait_seconds": 50}""",
                        List.of(ClaimVerbs.HOLDER, TaskFields.NAMESPACE, ttl, wait, ClaimVerbs.REQUEST_ID),
                        GRANT,
                        Verb.Nature.TAKE,
                        this::claimNext),
                new Verb(
                        "claim_step",
                        """
                        Claim one step by its id. Refused with held (someone has it) or not_claimable (it waits for others, is put \
                        off, or over). Example: {"step_id": "….build", "holder": "claude-3fa91c"}""",
                        List.of(TaskFields.STEP_ID, ClaimVerbs.HOLDER, ttl, ClaimVerbs.REQUEST_ID),
                        GRANT,
                        Verb.Nature.CHANGE,
                        this::claim),
                new Verb(
                        "complete_step",
                        """
                        Complete a step, with its result. Steps that waited for it become ready, and the last one ends \
                        the task. next: true also claims the next step. Example: {"step_id": "….build", \
                        "holder": "claude-3fa91c", "claim_generation": 1, "result": {"commit": "3f2a"}, "next": true}""",
                        List.of(
                                TaskFields.STEP_ID,
                                ClaimVerbs.HOLDER,
                                TaskFields.GENERATION.must(),
                                Field.value("result", "any JSON, for the steps that depend on it"),
                                next,
                                nextNamespace),
                        ENDED,
                        Verb.Nature.END,
                        this::complete),
                new Verb(
                        "fail_step",
                        """
                        Report that a step failed. It is retried later until its attempts are used up or retry \
                        is false; then it has failed, and the steps that wait for it are skipped. Example: {"step_id": "….build", \
                        "holder": "claude-3fa91c", "claim_generation": 1, "error": "compiler error in Main.java"}""",
                        List.of(
                                TaskFields.STEP_ID,
                                ClaimVerbs.HOLDER,
                                TaskFields.GENERATION.must(),
                                Field.text("error", Text.LONGEST_NOTE, "why").must(),
                                Field.flag("retry", "whether another attempt may help; default: true"),
                                next,
                                nextNamespace),
                        ENDED,
                        Verb.Nature.END,
                        this::fail));
    }

    private Answer claimNext(Arguments given) {
        return given(timed(() -> steps.claimNext(
                given.text("holder"),
                given.textOrNull("namespace"),
                seconds(given.numberOrNull("ttl_seconds")),
                given.textOrNull("request_id"),
                Duration.ofSeconds(given.number("wait_seconds", 0)))));
    }

    private Answer claim(Arguments given) {
        return given(timed(() -> Optional.of(steps.claim(
                given.text("step_id"),
                given.text("holder"),
                seconds(given.numberOrNull("ttl_seconds")),
                given.textOrNull("request_id")))));
    }

    private Optional<Steps.Given> timed(Supplier<Optional<Steps.Given>> claim) {
        long start = System.nanoTime();
        try {
            Optional<Steps.Given> given = claim.get();
            meters.claimed(
                    Kind.STEP,
                    given.isPresent() ? Meters.Granted.GRANTED : Meters.Granted.NOTHING,
                    false,
                    System.nanoTime() - start);
            return given;
        } catch (RefusedException refused) {
            meters.refused(Kind.STEP, refused.code(), System.nanoTime() - start);
            throw refused;
        }
    }

    private Answer given(Optional<Steps.Given> given) {
        return withClaim(Answer.of(TaskFields.given(given.orElse(null))), given);
    }

    /** Nobody works on what nobody was told of; on what was given before, somebody may. */
    private Answer withClaim(Answer answer, Optional<Steps.Given> given) {
        return given.isEmpty() || given.get().repeated()
                ? answer
                : answer.whenUndelivered(() -> claims.release(given.get().claim(), null));
    }

    private Answer complete(Arguments given) {
        String stepId = given.text("step_id");
        String result = TaskFields.text(given.jsonOrNull("result"));
        if (!given.flag("next")) {
            return Answer.of(ended(steps.complete(stepId, fence(given), result)));
        }
        long start = System.nanoTime();
        Steps.EndedAndNext both = steps.completeAndNext(
                stepId, fence(given), result, given.text("holder"), given.textOrNull("namespace"));
        meters.claimed(
                Kind.STEP,
                both.next().isPresent() ? Meters.Granted.GRANTED : Meters.Granted.NOTHING,
                false,
                System.nanoTime() - start);
        return withNext(both.ended(), both.next());
    }

    private Answer fail(Arguments given) {
        boolean retry = !given.has("retry") || given.flag("retry");
        Steps.Ended ended = steps.fail(given.text("step_id"), fence(given), given.text("error"), retry);
        if (!given.flag("next")) {
            return Answer.of(ended(ended));
        }
        return withNext(
                ended,
                timed(() -> steps.claimNext(
                        given.text("holder"), given.textOrNull("namespace"), null, null, Duration.ZERO)));
    }

    private static Fence fence(Arguments given) {
        return new Fence(Text.holder(given.text("holder")), given.numberOrNull("claim_generation"));
    }

    private static Map<String, @Nullable Object> ended(Steps.Ended ended) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("state", ended.step().state().toString());
        json.put("task", TaskFields.task(ended.task()));
        if (ended.replayed()) {
            json.put("replayed", true);
        }
        return json;
    }

    private Answer withNext(Steps.Ended ended, Optional<Steps.Given> next) {
        Map<String, @Nullable Object> json = ended(ended);
        json.put("next", TaskFields.given(next.orElse(null)));
        return withClaim(Answer.of(json), next);
    }

    private static @Nullable Duration seconds(@Nullable Long given) {
        return given == null ? null : Duration.ofSeconds(given);
    }
}
