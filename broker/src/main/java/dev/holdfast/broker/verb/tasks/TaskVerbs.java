package dev.holdfast.broker.verb.tasks;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.task.FollowUps;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.task.Tasks;
import java.util.List;
import java.util.stream.Stream;

/** The verbs of tasks. */
public final class TaskVerbs {
    private final Shapes shapes;
    private final Tasks tasks;
    private final FollowUps followUps;
    private final Agents agents;
    private final Claims claims;
    private final Meters meters;

    public TaskVerbs(Shapes shapes, Tasks tasks, FollowUps followUps, Agents agents, Claims claims, Meters meters) {
        this.shapes = shapes;
        this.tasks = tasks;
        this.followUps = followUps;
        this.agents = agents;
        this.claims = claims;
        this.meters = meters;
    }

    public List<Verb> verbs() {
        return Stream.of(
                        new TaskMakingVerbs(shapes, tasks, followUps).verbs(),
                        new TaskReadingVerbs(shapes, tasks).verbs(),
                        new StepVerbs(shapes, tasks, followUps, agents, claims, meters).verbs(),
                        new FinalizationVerbs(shapes, tasks).verbs(),
                        List.of(new RetryVerb(shapes, tasks).verb()))
                .flatMap(List::stream)
                .map(verb -> verb.refusing(this::counted))
                .toList();
    }

    /** What tasks refuse, they tell in their own words, without how the claim stands. */
    private RefusedException counted(RefusedException refused) {
        meters.fenced(Kind.STEP, refused.code());
        return new RefusedException(refused.code(), String.valueOf(refused.getMessage()));
    }
}
