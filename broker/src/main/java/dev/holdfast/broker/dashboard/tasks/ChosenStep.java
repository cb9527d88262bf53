package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.PlainWord;
import dev.holdfast.broker.dashboard.part.TakeBack;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.task.Step;
import dev.holdfast.task.StepState;
import dev.holdfast.task.Tasks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The step shown in detail: the one asked for, else the first that needs attention. */
final class ChosenStep {
    private static final int LONGEST = 20_000;

    private final Tasks tasks;
    private final Claims claims;

    ChosenStep(Sources sources) {
        tasks = sources.tasks();
        claims = sources.claims();
    }

    TaskView.@Nullable Chosen of(
            String taskId,
            @Nullable String asked,
            List<Step> steps,
            Map<String, List<String>> needs,
            List<Timeline.Attempt> attempts,
            Instant now) {
        Optional<String> key = asked != null ? Optional.of(asked) : worst(steps);
        Step step = key.flatMap(one -> tasks.step(taskId, one)).orElse(null);
        if (step == null) {
            return null;
        }
        Claim claim = step.holder() == null
                ? null
                : claims.held(Kind.STEP, step.holder(), null).stream()
                        .filter(held -> held.resource().id().equals(step.id()))
                        .findFirst()
                        .orElse(null);
        List<String> neededBy = steps.stream()
                .filter(one -> needs.getOrDefault(one.id(), List.of()).contains(step.key()))
                .map(Step::key)
                .limit(10)
                .toList();
        return new TaskView.Chosen(
                step.key(),
                step.state(),
                StateBadge.of(step.state()),
                attempts(step),
                claim == null ? null : new Actor(claim.holder()),
                claim == null ? 0 : claim.generation(),
                claim == null ? null : Lease.of(claim, now),
                needs.getOrDefault(step.id(), List.of()),
                neededBy,
                pretty(step.input()),
                pretty(step.result()),
                Objects.requireNonNullElse(step.error(), ""),
                attempts.stream()
                        .filter(one -> one.key().equals(step.key()) && one.until() != null)
                        .map(one -> new TaskView.Tried(
                                one.holder(), one.generation(), Timeline.length(one.length(now)), how(one), one.why()))
                        .toList(),
                step.notBefore() == null ? null : new When(step.notBefore(), now),
                claim == null ? "" : TakeBack.fill(claim.resource().toString(), claim.holder(), claim.generation()));
    }

    private static String attempts(Step step) {
        String some = step.attempts() + " of " + step.maxAttempts();
        return step.attempts() == 0
                ? ""
                : step.state() == StepState.FAILED ? " after " + some + " attempts" : ", failed " + some + " times";
    }

    /** Without "step": that is what the page is about. */
    private static String how(Timeline.Attempt attempt) {
        return PlainWord.of(attempt.how()).replaceFirst("^step (attempt )?", "");
    }

    private static Optional<String> worst(List<Step> steps) {
        for (StepState state : List.of(
                StepState.FAILED, StepState.RETRY_WAIT, StepState.CLAIMED, StepState.READY, StepState.WAITING)) {
            Optional<Step> found =
                    steps.stream().filter(step -> step.state() == state).findFirst();
            if (found.isPresent()) {
                return found.map(Step::key);
            }
        }
        return steps.stream().map(Step::key).findFirst();
    }

    private static String pretty(@Nullable String json) {
        if (json == null) {
            return "";
        }
        String shown;
        try {
            JsonMapper mapper = JsonMapper.shared();
            shown = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(mapper.readTree(json));
        } catch (JacksonException _) {
            shown = json;
        }
        return shown.length() <= LONGEST
                ? shown
                : shown.substring(0, LONGEST) + "\n… " + (shown.length() - LONGEST) + " characters more";
    }
}
