package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.work.WorkItems;
import java.util.List;
import java.util.stream.Stream;

/** The verbs of work. */
public final class WorkVerbs {
    private final Shapes shapes;
    private final WorkItems work;
    private final Claims claims;
    private final Meters meters;

    public WorkVerbs(Shapes shapes, WorkItems work, Claims claims, Meters meters) {
        this.shapes = shapes;
        this.work = work;
        this.claims = claims;
        this.meters = meters;
    }

    public List<Verb> verbs() {
        return Stream.of(
                        fenced(new BacklogVerbs(shapes, work).verbs()),
                        fenced(new ItemVerbs(shapes, work).verbs()),
                        new WorkClaimVerbs(shapes, work, claims, meters, this::counted).verbs(),
                        fenced(new ReservationVerbs(shapes, work).verbs()),
                        fenced(new BeadsVerbs(shapes, work).verbs()))
                .flatMap(List::stream)
                .toList();
    }

    private List<Verb> fenced(List<Verb> verbs) {
        return verbs.stream().map(verb -> verb.refusing(this::counted)).toList();
    }

    /** What is refused because of the claim shown is counted. */
    private RefusedException counted(RefusedException refused) {
        if (refused.refusal() != null) {
            meters.fenced(Kind.WORK, refused.code());
        }
        return refused;
    }
}
