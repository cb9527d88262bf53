package dev.holdfast.broker.dashboard.events;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.event.Event;
import dev.holdfast.review.record.AuditEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One event.
 *
 * @param path the page of its resource; empty: there is none
 * @param what its details, in one line
 */
public record Line(
        long id,
        When when,
        String at,
        String type,
        String icon,
        String look,
        String resource,
        String path,
        @Nullable Actor actor,
        @Nullable Long generation,
        String what,
        String json) {
    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private static final Pattern MADE_ID = Pattern.compile("([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final int LONGEST = 300;
    private static final int LONGEST_JSON = 20_000;

    /** The resource with its id shortened, to a length that every door accepts. */
    public String shown() {
        return VisibleText.line(MADE_ID.matcher(resource).replaceAll("$1"));
    }

    /** The same, with other words about what happened. */
    Line saying(String words) {
        return new Line(id, when, at, type, icon, look, resource, path, actor, generation, words, json);
    }

    static Line of(Event event, Instant now) {
        JsonNode detail = detail(event);
        State verdict = verdict(event.type(), detail);
        String look = verdict != null && verdict.word().equals("approved") ? "ok" : look(event.type());
        return new Line(
                event.id(),
                new When(event.at(), now),
                AT.format(event.at()),
                event.type(),
                verdict == null ? icon(look, event.resource()) : verdict.icon(),
                look,
                event.resource(),
                path(event.resource()),
                who(event.actor(), detail),
                event.generation(),
                Sentence.of(event.type(), event.detail(), detail, LONGEST),
                json(event, detail));
    }

    /** Null: it is no verdict. */
    private static @Nullable State verdict(String type, @Nullable JsonNode detail) {
        return detail == null || !type.equals("verdict_submitted")
                ? null
                : State.ofVerdict(detail.path("metadata").path("verdict").asString(""));
    }

    /** Null: there are no details, or they are not JSON. */
    private static @Nullable JsonNode detail(Event event) {
        try {
            return event.detail() == null ? null : JsonMapper.shared().readTree(event.detail());
        } catch (JacksonException _) {
            return null;
        }
    }

    /** Events of reviews store the actor's role; if their details name who had that role, the name says more. */
    private static @Nullable Actor who(@Nullable String actor, @Nullable JsonNode detail) {
        String name = detail == null ? actor : AuditEvent.by(actor, detail.path("metadata"));
        return name == null ? null : new Actor(name);
    }

    /** Red: taken from somebody, refused or failed. Green: ended well. Blue: now held by somebody. */
    static String look(String type) {
        return switch (type) {
            case "reclaimed", "taken_over", "parked", "task_cancelled", "review_reclaimed", "review_withdrawn" ->
                "port";
            case "claimed", "review_claimed" -> "sea";
            case "completed", "work_closed", "task_finished", "step_succeeded", "review_approved", "review_closed" ->
                "ok";
            default ->
                type.contains("fail") || type.contains("reject") || type.contains("refus") || type.endsWith("_lost")
                        ? "port"
                        : "dim";
        };
    }

    private static String icon(String look, String resource) {
        return switch (look) {
            case "port" -> "s-failed";
            case "sea" -> "s-claimed";
            case "ok" -> "s-closed";
            default ->
                switch (kind(resource)) {
                    case "review" -> "reviews";
                    case "work" -> "work";
                    case "step", "task", "finalization" -> "tasks";
                    case "agent" -> "agents";
                    case "reviewer" -> "pool";
                    default -> "knot";
                };
        };
    }

    private static String kind(String resource) {
        int colon = resource.indexOf(':');
        return colon < 0 ? resource : resource.substring(0, colon);
    }

    private static String path(String resource) {
        String id = resource.substring(resource.indexOf(':') + 1);
        return switch (kind(resource)) {
            case "review" -> Address.review(id);
            case "work" -> Address.work(id);
            case "task", "finalization" -> Address.task(id);
            case "step" -> {
                int dot = id.lastIndexOf('.');
                yield dot < 0
                        ? ""
                        : Address.task(id.substring(0, dot)) + "?step=" + Address.encoded(id.substring(dot + 1));
            }
            case "agent" -> "/agents";
            case "reviewer" -> "/pool";
            default -> "";
        };
    }

    private static String json(Event event, @Nullable JsonNode detail) {
        JsonMapper mapper = JsonMapper.shared();
        ObjectNode whole = mapper.createObjectNode()
                .put("id", event.id())
                .put("at", event.at().toString())
                .put("type", event.type())
                .put("resource", event.resource())
                .put("actor", event.actor())
                .put("generation", event.generation());
        if (detail != null) {
            whole.set("detail", detail);
        } else if (event.detail() != null) {
            whole.put("detail", event.detail());
        }
        String text = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(whole);
        return text.length() <= LONGEST_JSON ? text : text.substring(0, LONGEST_JSON) + "…";
    }
}
