package dev.holdfast.broker.dashboard.agents;

import dev.holdfast.broker.dashboard.Sources;
import dev.holdfast.claim.Claim;
import dev.holdfast.work.WorkItem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

    String path(Claim claim) {
        String id = claim.resource().id();
        return switch (claim.resource().kind()) {
            case REVIEW -> "/reviews/" + encoded(id);
            case WORK -> "/work/" + encoded(id);
            case STEP -> "/tasks/" + encoded(id.substring(0, Math.max(0, id.lastIndexOf('.'))));
            case FINALIZATION -> "/tasks/" + encoded(id);
            case PATH, KEY, RESERVATION, BROKER ->
                "/events?resource=" + encoded(claim.resource().toString());
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
