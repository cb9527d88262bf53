package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.work.WorkItems;
import java.util.List;
import java.util.stream.Stream;

/** The verbs of work: a backlog that many agents do together. */
public final class WorkVerbs {
    private final WorkItems work;
    private final Claims claims;
    private final Meters meters;
    private final Config.Limits limits;

    public WorkVerbs(WorkItems work, Claims claims, Meters meters, Config.Limits limits) {
        this.work = work;
        this.claims = claims;
        this.meters = meters;
        this.limits = limits;
    }

    public List<Verb> verbs() {
        List<Verb> forAgents = Stream.of(
                        new BacklogVerbs(work, limits).verbs(),
                        new PlanningVerbs(work).verbs(),
                        new WorkClaimVerbs(work, claims, meters, limits).verbs(),
                        new ReservationVerbs(work, claims).verbs())
                .flatMap(List::stream)
                .map(verb -> fenced(verb).in(Toolset.WORK))
                .toList();
        return Stream.concat(
                        forAgents.stream(),
                        new BeadsVerbs(work, limits).verbs().stream().map(this::fenced))
                .toList();
    }

    /** What is refused because of the claim shown is counted. */
    private Verb fenced(Verb verb) {
        return verb.handledBy(given -> {
            try {
                return verb.handler().answer(given);
            } catch (RefusedException refused) {
                if (refused.refusal() != null) {
                    meters.fenced(Kind.WORK, refused.code());
                }
                throw refused;
            }
        });
    }
}
