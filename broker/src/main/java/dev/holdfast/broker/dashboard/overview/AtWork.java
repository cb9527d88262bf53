package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.Sources;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.work.WorkItem;
import java.time.Instant;
import java.util.List;
import java.util.Map;

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
        Map<String, WorkItem> work = sources.work().backlog().held();
        return new Now(
                held.reversed().stream()
                        .limit(SHOWN)
                        .map(claim -> holding(claim, work, now))
                        .toList(),
                held.size(),
                held.stream().map(Claim::holder).distinct().count());
    }

    private Holding holding(Claim claim, Map<String, WorkItem> work, Instant now) {
        String id = claim.resource().id();
        String title = id;
        String place = claim.resource().kind().toString();
        switch (claim.resource().kind()) {
            case REVIEW -> {
                var review = sources.reviews().catalogue().find(id);
                title = review.map(one -> one.intent()).orElse(id);
                place = "review"
                        + review.map(one -> one.project())
                                .map(project -> " · " + project)
                                .orElse("");
            }
            case WORK -> {
                WorkItem item = work.get(id);
                title = item == null ? id : item.title();
                place = id;
            }
            case STEP -> {
                int dot = id.indexOf('.');
                title = id.substring(dot + 1);
                place = "step · " + task(dot < 0 ? id : id.substring(0, dot));
            }
            case FINALIZATION -> place = "ends " + task(id);
            case PATH, KEY, RESERVATION, BROKER -> {}
        }
        return new Holding(
                claim.resource().toString(),
                new Actor(claim.holder()),
                title,
                path(claim),
                place,
                Lease.of(claim, now),
                new When(claim.claimedAt(), now));
    }

    private String task(String id) {
        try {
            return sources.tasks().get(id).name();
        } catch (RefusedException _) {
            return id;
        }
    }

    /** The page of what is claimed, or of who holds it. */
    static String path(Claim claim) {
        return Address.of(claim.resource()).orElse("/agents");
    }
}
