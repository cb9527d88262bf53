package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.Held;
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
    private static final int SHOWN = 10;

    /** One claim, and what it is on. */
    public record Holding(String key, Actor actor, String title, String path, String place, Lease lease, When since) {}

    /** @param holders how many hold something */
    public record Now(List<Holding> first, int claims, long holders) {}

    private final Sources sources;

    AtWork(Sources sources) {
        this.sources = sources;
    }

    Now now(Instant now) {
        List<Claim> held = sources.claims().held(null, null, null).stream()
                .filter(claim -> claim.resource().kind() != Kind.BROKER && claim.under() == null)
                .filter(claim -> claim.resource().kind() != Kind.RESERVATION)
                .toList();
        Held things = new Held(sources);
        return new Now(
                held.reversed().stream()
                        .limit(SHOWN)
                        .map(claim -> holding(claim, things, now))
                        .toList(),
                held.size(),
                held.stream().map(Claim::holder).distinct().count());
    }

    private static Holding holding(Claim claim, Held things, Instant now) {
        Held.Thing thing = things.thing(claim);
        return new Holding(
                claim.resource().toString(),
                new Actor(claim.holder()),
                thing.title(),
                Held.path(claim),
                thing.place(),
                Lease.of(claim, now),
                new When(claim.claimedAt(), now));
    }
}
