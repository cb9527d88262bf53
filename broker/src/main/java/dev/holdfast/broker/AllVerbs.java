package dev.holdfast.broker;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.broker.task.BrokerTasks;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.agents.AgentVerbs;
import dev.holdfast.broker.verb.claims.ClaimVerbs;
import dev.holdfast.broker.verb.claims.EventVerbs;
import dev.holdfast.broker.verb.claims.HeldClaimVerbs;
import dev.holdfast.broker.verb.claims.TakeBackVerb;
import dev.holdfast.broker.verb.claims.WhoVerb;
import dev.holdfast.broker.verb.pool.PoolVerbs;
import dev.holdfast.broker.verb.reviews.ReviewVerbs;
import dev.holdfast.broker.verb.tasks.TaskVerbs;
import dev.holdfast.broker.verb.work.WorkVerbs;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.ClaimsByKind;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.Reviews;
import dev.holdfast.work.WorkItems;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every verb, grouped by family, in listing order. */
final class AllVerbs {
    private AllVerbs() {}

    static List<Verb> of(
            Shapes shapes,
            Claims claims,
            Agents agents,
            AgentVerbs agentVerbs,
            Reviews reviews,
            @Nullable ReviewerPool pool,
            WorkItems work,
            BrokerTasks care,
            Meters meters) {
        ClaimsByKind byKind = new ClaimsByKind(claims)
                .with(Kind.REVIEW, reviews.kindClaims())
                .with(Kind.WORK, work.kindClaims())
                .with(Kind.STEP, care.tasks().stepKindClaims())
                .with(Kind.FINALIZATION, care.tasks().finalizationKindClaims());
        ReviewVerbs reviewVerbs = new ReviewVerbs(shapes, reviews, meters);
        PoolVerbs poolVerbs = new PoolVerbs(shapes, pool);
        return Stream.of(
                        new ClaimVerbs(shapes, byKind, reviews::kindClaims, meters).verbs(),
                        new HeldClaimVerbs(shapes, claims, byKind, agents, meters).verbs(),
                        new WhoVerb(shapes, claims, agents, work.backlog(), work.reservations(), reviews.catalogue())
                                .verbs(),
                        new WorkVerbs(shapes, work, claims, meters).verbs(),
                        new TaskVerbs(shapes, care.tasks(), care.followUps(), agents, claims, meters).verbs(),
                        reviewVerbs.verbs(),
                        poolVerbs.verbs(),
                        List.of(
                                reviewVerbs.override(),
                                poolVerbs.log(),
                                reviewVerbs.importing(),
                                new TakeBackVerb(shapes, claims, meters).verb()),
                        new EventVerbs(shapes, claims.tail()).verbs(),
                        agentVerbs.verbs())
                .flatMap(List::stream)
                .toList();
    }
}
