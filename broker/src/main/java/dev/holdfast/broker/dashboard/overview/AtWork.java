package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.Sources;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import java.time.Instant;
import java.util.List;

/** Who holds what right now. */
public final class AtWork {
    /** One claim, and what it is on. */
    public record Holding(Actor actor, String title, String path, String place, Lease lease, When since) {}

    private final Sources sources;

    AtWork(Sources sources) {
        this.sources = sources;
    }

    List<Holding> now(Instant now) {
        return sources.claims().held(null, null, null).stream()
                .filter(claim -> claim.resource().kind() != Kind.BROKER)
                .map(claim -> holding(claim, now))
                .toList();
    }

    private Holding holding(Claim claim, Instant now) {
        return new Holding(
                new Actor(claim.holder()),
                claim.resource().id(),
                "/",
                claim.resource().kind().toString(),
                Lease.of(claim, now),
                new When(claim.claimedAt(), now));
    }
}
