package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.part.Detail;
import dev.holdfast.broker.dashboard.part.OneLine;
import dev.holdfast.event.Event;
import dev.holdfast.work.Dependency;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event of a work item, in words.
 *
 * @param did what was done; follows the name of whoever did it, if there is one
 * @param say what somebody wrote; empty: nothing
 */
record WorkEventText(String did, String say) {
    private static final int LONGEST = 1_000;

    static WorkEventText of(Event event) {
        JsonNode detail = detail(event.detail());
        String actor = event.actor();
        return switch (event.type()) {
            case "created", "work_created" -> new WorkEventText("created it", "");
            case "claimed" -> new WorkEventText("claimed it", "");
            case "taken_over" ->
                new WorkEventText("took it over from " + text(detail, "displaced") + ", whose lease had expired", "");
            case "released" -> new WorkEventText("released it", text(detail, "note"));
            case "failed" -> new WorkEventText("tried and failed" + times(detail, ","), text(detail, "note"));
            case "parked" ->
                new WorkEventText(
                        (actor == null ? "it was parked" : "parked it") + times(detail, " after failing"),
                        either(detail, "note", "reason"));
            case "reclaimed" -> reclaimed(actor, detail);
            case "blocked" -> new WorkEventText("became blocked", "");
            case "unblocked" -> new WorkEventText("became unblocked", "");
            case "due" -> new WorkEventText("became due", "");
            case "work_updated" -> new WorkEventText(updated(detail), "");
            case "work_closed" ->
                new WorkEventText(
                        detail.has("imported") ? "imported as closed" : actor == null ? "closed" : "closed it",
                        text(detail, "reason"));
            case "dependency_added" ->
                new WorkEventText(
                        (waits(detail) ? "made it depend on " : "linked it to ") + text(detail, "depends_on"), "");
            case "dependency_removed" ->
                new WorkEventText(
                        (waits(detail) ? "removed its dependency on " : "unlinked it from ")
                                + text(detail, "depends_on"),
                        "");
            default -> new WorkEventText(event.type().replace('_', ' '), Detail.of(event.detail(), LONGEST));
        };
    }

    private static WorkEventText reclaimed(@Nullable String actor, JsonNode detail) {
        String reason = text(detail, "reason");
        String from = text(detail, "displaced");
        return reason.equals("expired")
                ? new WorkEventText("it was reclaimed from " + from + ", whose lease had expired", "")
                : new WorkEventText((actor == null ? "it was reclaimed from " : "took it back from ") + from, reason);
    }

    private static String updated(JsonNode detail) {
        if (detail.has("imported")) {
            return "imported a newer version";
        }
        String changed = detail.path("changed")
                .valueStream()
                .map(field -> field.asString("").replace('_', ' '))
                .filter(field -> !field.equals("status"))
                .collect(Collectors.joining(", "));
        String status = text(detail, "status").replace('_', ' ');
        return (changed.isEmpty() && status.isEmpty())
                ? "changed it"
                : (changed.isEmpty() ? "" : "changed the " + changed)
                        + (changed.isEmpty() || status.isEmpty() ? "" : " and ")
                        + (status.isEmpty() ? "" : status.equals("blocked") ? "parked it" : "set it to " + status);
    }

    private static boolean waits(JsonNode detail) {
        return Dependency.orders(text(detail, "dependency_type"));
    }

    private static String times(JsonNode detail, String before) {
        int attempts = detail.path("attempts").asInt(0);
        return attempts > 1 ? before + " " + attempts + " times in a row" : "";
    }

    private static String either(JsonNode detail, String first, String second) {
        String said = text(detail, first);
        return said.isEmpty() ? text(detail, second) : said;
    }

    private static String text(JsonNode detail, String field) {
        return OneLine.of(detail.path(field).asString(""), LONGEST);
    }

    private static JsonNode detail(@Nullable String json) {
        JsonMapper mapper = JsonMapper.shared();
        try {
            return json == null ? mapper.createObjectNode() : mapper.readTree(json);
        } catch (JacksonException _) {
            return mapper.createObjectNode();
        }
    }
}
