package dev.holdfast.review.record;

import dev.holdfast.event.Event;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Something that happened to a review, in review terms. The claim engine's own events (grants, releases, reclaims) are
 * translated to review terms here.
 *
 * @param reviewId null if it is about content, not about a review
 * @param metadata a JSON object; null: none
 */
public record AuditEvent(
        long id,
        @Nullable String reviewId,
        String type,
        @Nullable String actor,
        @Nullable String oldStatus,
        @Nullable String newStatus,
        @Nullable Object metadata,
        Instant at) {
    /** The gate was opened by hand; recorded for the content, which need not have a review. */
    public static final String OVERRIDDEN = "approval_overridden";

    /** The metadata field with the id of the message that was sent. */
    public static final String MESSAGE = "message_id";

    /** The metadata field with the reviewer who lost the claim to the event; absent if nobody held it. */
    public static final String FENCED_OUT = "old_reviewer";

    /** The actor shown for a reclaim that nobody asked for. */
    public static final String BY_ITSELF = "pool-manager";

    private static final JsonMapper MAPPER = JsonMapper.shared();

    public static AuditEvent of(Event event) {
        return switch (event.type()) {
            case "claimed" ->
                ofClaim(event, "review_claimed", event.actor(), ReviewStatus.PENDING, ReviewStatus.CLAIMED);
            case "taken_over" ->
                ofClaim(event, "review_claimed", event.actor(), ReviewStatus.CLAIMED, ReviewStatus.CLAIMED);
            case "released" ->
                ofClaim(event, "review_released", event.actor(), ReviewStatus.CLAIMED, ReviewStatus.PENDING);
            case "reclaimed" ->
                ofClaim(
                        event,
                        "review_reclaimed",
                        event.actor() == null ? BY_ITSELF : event.actor(), // a person may have reclaimed it
                        ReviewStatus.CLAIMED,
                        ReviewStatus.PENDING);
            default -> {
                JsonNode detail = detail(event);
                JsonNode metadata = detail.get("metadata");
                yield new AuditEvent(
                        event.id(),
                        reviewId(event),
                        event.type(),
                        event.actor(),
                        text(detail, "old_status"),
                        text(detail, "new_status"),
                        metadata,
                        event.at());
            }
        };
    }

    /** Returns a text from its metadata; empty if there is none of that name. */
    public String text(String name) {
        Object said = metadata instanceof Map<?, ?> all
                ? all.get(name)
                : metadata instanceof JsonNode json ? json.get(name) : null;
        return said instanceof JsonNode json ? json.asString("") : said == null ? "" : said.toString();
    }

    /** Who did it, if the event names them; otherwise the role that it is recorded under. */
    public @Nullable String by() {
        return metadata instanceof JsonNode json ? by(actor, json) : actor;
    }

    /** As {@link #by()}, for a stored event of a review. */
    public static @Nullable String by(@Nullable String actor, JsonNode metadata) {
        String named = actor == null
                ? ""
                : switch (actor) {
                    case "reviewer" -> "reviewer_id";
                    case "proposer" -> "proposer";
                    default -> "";
                };
        String name = metadata.path(named).asString("");
        return name.isEmpty() ? actor : name;
    }

    private static AuditEvent ofClaim(
            Event event, String type, @Nullable String actor, ReviewStatus before, ReviewStatus after) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("claim_generation", event.generation());
        JsonNode detail = detail(event);
        for (String name : detail.propertyNames()) {
            metadata.put(name.equals("displaced") ? FENCED_OUT : name, detail.get(name));
        }
        if (event.type().equals("taken_over")
                || detail.path("reason").asString("").equals("expired")) {
            metadata.put("reason", "claim_timeout");
        }
        return new AuditEvent(
                event.id(), reviewId(event), type, actor, before.toString(), after.toString(), metadata, event.at());
    }

    private static @Nullable String reviewId(Event event) {
        boolean ofAReview =
                event.resource().startsWith("review:") && !event.type().equals(OVERRIDDEN);
        return ofAReview ? event.resource().substring(event.resource().indexOf(':') + 1) : null;
    }

    private static JsonNode detail(Event event) {
        return event.detail() == null ? MAPPER.createObjectNode() : MAPPER.readTree(event.detail());
    }

    private static @Nullable String text(JsonNode detail, String name) {
        JsonNode value = detail.get(name);
        return value == null || value.isNull() ? null : value.asString();
    }
}
