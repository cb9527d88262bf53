package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.task.FollowUps;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.task.Tasks;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The verbs of tasks: steps fanned out and in again, and ended once. */
public final class TaskVerbs {
    private final Tasks tasks;
    private final FollowUps followUps;
    private final Claims claims;
    private final Meters meters;
    private final Config.Limits limits;

    public TaskVerbs(Tasks tasks, FollowUps followUps, Claims claims, Meters meters, Config.Limits limits) {
        this.tasks = tasks;
        this.followUps = followUps;
        this.claims = claims;
        this.meters = meters;
        this.limits = limits;
    }

    public List<Verb> verbs() {
        return Stream.of(
                        new TaskPlanningVerbs(tasks, followUps).verbs(),
                        new TaskReadingVerbs(tasks, limits).verbs(),
                        new StepVerbs(tasks, claims, meters, limits).verbs(),
                        new FinalizationVerbs(tasks, claims).verbs())
                .flatMap(List::stream)
                .map(verb -> refusing(verb).in(Toolset.TASKS))
                .toList();
    }

    /** What tasks refuse becomes an answer like any other refusal. */
    private Verb refusing(Verb verb) {
        return verb.handledBy(given -> {
            try {
                return verb.handler().answer(given);
            } catch (RefusedException refused) {
                meters.fenced(Kind.STEP, refused.code());
                return Answer.refused(refused.code(), String.valueOf(refused.getMessage()), Map.of());
            }
        });
    }
}
