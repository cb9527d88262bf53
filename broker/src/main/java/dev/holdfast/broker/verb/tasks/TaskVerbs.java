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
public record TaskVerbs(Shapes shapes, Tasks tasks, FollowUps followUps, Agents agents, Claims claims, Meters meters) {
    public List<Verb> verbs() {
        return Stream.of(
                        new TaskCreationVerbs(shapes, tasks, followUps).verbs(),
                        new TaskReadingVerbs(shapes, tasks).verbs(),
                        new StepVerbs(shapes, tasks.steps(), followUps, agents, claims, meters).verbs(),
                        new FinalizationVerbs(shapes, tasks.finalizations()).verbs(),
                        List.of(new RetryVerb(shapes, tasks).verb()))
                .flatMap(List::stream)
                .map(verb -> verb.refusing(this::counted))
                .toList();
    }

    /** Refusals about tasks have their own messages, without the state of the claim. */
    private RefusedException counted(RefusedException refused) {
        meters.fenced(Kind.STEP, refused.code());
        return new RefusedException(refused.code(), String.valueOf(refused.getMessage()));
    }
}
