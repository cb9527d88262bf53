package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.beads.Beads;
import java.util.List;
import java.util.stream.Stream;

/** The verbs of work. */
public record WorkVerbs(Shapes shapes, WorkItems work, Claims claims, Meters meters) {
    public List<Verb> verbs() {
        return Stream.of(
                        fenced(new BacklogVerbs(shapes, work.backlog()).verbs()),
                        fenced(new ItemVerbs(shapes, work).verbs()),
                        new WorkClaimVerbs(shapes, work, claims, meters, this::counted).verbs(),
                        fenced(new ReservationVerbs(shapes, work.reservations()).verbs()),
                        fenced(new BeadsVerbs(shapes, Beads.of(work)).verbs()))
                .flatMap(List::stream)
                .toList();
    }

    private List<Verb> fenced(List<Verb> verbs) {
        return verbs.stream().map(verb -> verb.refusing(this::counted)).toList();
    }

    /** Counts calls refused because of their fence. */
    private RefusedException counted(RefusedException refused) {
        if (refused.refusal() != null) {
            meters.fenced(Kind.WORK, refused.code());
        }
        return refused;
    }
}
