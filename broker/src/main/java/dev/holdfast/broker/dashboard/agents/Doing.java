package dev.holdfast.broker.dashboard.agents;

import dev.holdfast.broker.dashboard.Sources;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.claim.Claim;
import dev.holdfast.work.WorkItem;
import java.util.Map;

/** What a claim is on, as people call it, and where it is shown. */
final class Doing {
    private final Sources sources;
    private final Map<String, WorkItem> work;

    /** @param work what is held, by id */
    Doing(Sources sources, Map<String, WorkItem> work) {
        this.sources = sources;
        this.work = work;
    }

    String title(Claim claim) {
        String id = claim.resource().id();
        return switch (claim.resource().kind()) {
            case REVIEW ->
                sources.reviews()
                        .catalogue()
                        .find(id)
                        .map(review -> review.intent())
                        .orElse(id);
            case WORK -> {
                WorkItem item = work.get(id);
                yield item == null ? id : item.title();
            }
            case STEP -> "step " + id.substring(id.lastIndexOf('.') + 1);
            case FINALIZATION -> "ends task " + id;
            case PATH, KEY, RESERVATION, BROKER -> claim.resource().toString();
        };
    }

    static String path(Claim claim) {
        return Address.of(claim.resource())
                .orElseGet(() ->
                        "/events?resource=" + Address.encoded(claim.resource().toString()));
    }
}
