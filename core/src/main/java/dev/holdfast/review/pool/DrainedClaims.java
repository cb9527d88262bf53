package dev.holdfast.review.pool;

import dev.holdfast.claim.Holdings;
import dev.holdfast.claim.Kind;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a reviewer still held when its drain began, and how those claims ended: a drained reviewer ends with the last of
 * them, and the audit log says how. This is read from the events, because a claim may end through any broker.
 */
final class DrainedClaims {
    /** It held nothing when its drain began. */
    static final String AT_ONCE = "drain_start";

    private static final int MAX = 10_000;

    private DrainedClaims() {}

    /** What it holds now, for its drain event. */
    static List<Map<String, Object>> held(Transaction transaction, String reviewer) throws SQLException {
        return Holdings.list(transaction, Kind.REVIEW, reviewer, null).stream()
                .sorted(Comparator.comparing(claim -> claim.resource().id()))
                .map(claim -> Map.<String, Object>of(
                        "review_id", claim.resource().id(), "claim_generation", claim.generation()))
                .toList();
    }

    /** What ended the last of the claims that this reviewer held when its drain began. */
    static String trigger(Transaction transaction, String reviewer) throws SQLException {
        Optional<Event> drain = Events.ofResource(transaction, "reviewer:" + reviewer, 0, Long.MAX_VALUE, MAX).stream()
                .filter(event -> event.type().equals("reviewer_drain_start"))
                .findFirst();
        String trigger = AT_ONCE;
        long last = 0;
        for (JsonNode claim : drain.map(event -> detail(event).at("/metadata/claims"))
                .orElseGet(JsonMapper.shared()::createArrayNode)) {
            String review = claim.path("review_id").asString();
            long generation = claim.path("claim_generation").asLong();
            Optional<Event> end = Events.ofResource(transaction, "review:" + review, 0, Long.MAX_VALUE, MAX).stream()
                    .filter(event -> ends(event, generation))
                    .findFirst();
            if (end.isPresent() && end.get().id() > last) {
                last = end.get().id();
                trigger = String.valueOf(ending(end.get()));
            }
        }
        return trigger;
    }

    /** Its own grant may have been a takeover too. */
    private static boolean ends(Event event, long generation) {
        Long its = event.generation();
        return its != null
                && ending(event) != null
                && (event.type().equals("taken_over") ? its > generation : its >= generation);
    }

    /** Null if the claim continues after this event. */
    private static @Nullable String ending(Event event) {
        return switch (event.type()) {
            case "verdict_submitted" -> "terminal_verdict";
            case "reclaimed", "review_reclaimed", "taken_over" -> "reclaim";
            case "released", "review_released" -> "release";
            case "review_revised" -> "revision";
            case "review_withdrawn" -> "withdrawal";
            case "review_auto_rejected" -> "auto_reject";
            default -> null;
        };
    }

    private static JsonNode detail(Event event) {
        return JsonMapper.shared().readTree(event.detail() == null ? "{}" : event.detail());
    }
}
