package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.work.Overlap;
import dev.holdfast.work.RefusedException;
import dev.holdfast.work.WorkItems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
                .map(verb -> refusing(verb).in(Toolset.WORK))
                .toList();
        return Stream.concat(
                        forAgents.stream(),
                        new BeadsVerbs(work, limits).verbs().stream().map(this::refusing))
                .toList();
    }

    /** What work refuses becomes an answer like any other refusal. */
    private Verb refusing(Verb verb) {
        return new Verb(verb.name(), verb.description(), verb.arguments(), verb.result(), verb.nature(), given -> {
            try {
                return verb.handler().answer(given);
            } catch (RefusedException refused) {
                Refusal refusal = refused.refusal();
                if (refusal != null) {
                    meters.fenced(Kind.WORK, refusal);
                    return Telling.refusal(refusal);
                }
                return Answer.refused(
                        Code.of(refused.code()), String.valueOf(refused.getMessage()), details(refused.overlaps()));
            }
        });
    }

    private static Map<String, @Nullable Object> details(List<Overlap> overlaps) {
        Map<String, @Nullable Object> details = new LinkedHashMap<>();
        if (!overlaps.isEmpty()) {
            details.put("holder", overlaps.getFirst().holder());
            details.put(
                    "overlaps", overlaps.stream().map(ReservationVerbs::told).toList());
        }
        return details;
    }
}
