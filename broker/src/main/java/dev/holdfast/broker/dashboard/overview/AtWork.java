package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.page.Held;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who holds what right now. */
public record AtWork(Sources sources) {
    private static final int SHOWN = 7;

    /** One claim, and what it is on. */
    public record Holding(String key, Actor actor, String title, String path, String place, Lease lease, When since) {}

    /**
     * @param rows how many such lines there are in total
     * @param claims how many claims there are, without reservations and soft claims
     * @param reservations how many reservations of files there are
     * @param holders how many different holders there are
     */
    public record Now(List<Holding> first, int rows, int claims, int reservations, long holders) {
        public int all() {
            return claims + reservations;
        }
    }

    Now now(Instant now) {
        List<Claim> held = sources.claims().held(null, null, null).stream()
                .filter(claim -> claim.resource().kind() != Kind.BROKER)
                .toList();
        Map<Resource, Claim> files = held.stream() // shown beside the claim that they are reserved for
                .filter(claim -> isFiles(claim) && claim.under() != null)
                .collect(Collectors.toMap(
                        claim -> Objects.requireNonNull(claim.under()).resource(), claim -> claim, (one, _) -> one));
        Held things = new Held(sources);
        List<Claim> rows = held.stream().filter(claim -> claim.under() == null).toList();
        int reservations = (int) held.stream().filter(AtWork::isFiles).count();
        return new Now(
                rows.reversed().stream()
                        .limit(SHOWN)
                        .map(claim -> holding(claim, files.get(claim.resource()), things, now))
                        .toList(),
                rows.size(),
                (int) rows.stream().filter(claim -> !isFiles(claim)).count(),
                reservations,
                held.stream().map(Claim::holder).distinct().count());
    }

    private static boolean isFiles(Claim claim) {
        return claim.resource().kind() == Kind.RESERVATION;
    }

    private static Holding holding(Claim claim, @Nullable Claim files, Held things, Instant now) {
        Held.Thing thing = things.thing(claim);
        return new Holding(
                claim.resource().toString(),
                new Actor(claim.holder()),
                thing.title(),
                Held.path(claim),
                thing.place()
                        + (files == null ? "" : " · " + things.thing(files).title()),
                Lease.of(claim, now),
                new When(claim.claimedAt(), now));
    }
}
