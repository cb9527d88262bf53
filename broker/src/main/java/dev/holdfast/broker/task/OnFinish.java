package dev.holdfast.broker.task;

import dev.holdfast.claim.InvalidException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What to do when a task has ended, as given in its {@code on_finish}. */
sealed interface OnFinish {
    List<String> WAYS = List.of("close_work", "open_review", "webhook", "step");

    /** Close a work item. */
    record CloseWork(String id, @Nullable String reason) implements OnFinish {}

    /** Open a review of this step's diff: its result, or the result's {@code diff}. */
    record OpenReview(String step, String intent, @Nullable String project) implements OnFinish {}

    record Webhook(String url) implements OnFinish {}

    /** Create a task with this one step, in the same namespace. */
    record FollowUp(String key, @Nullable JsonNode input) implements OnFinish {}

    /** @throws InvalidException saying what is wrong */
    static OnFinish of(String json) {
        return of(JsonMapper.shared().readTree(json));
    }

    private static OnFinish of(JsonNode given) {
        List<String> named = given.propertyNames().stream().toList();
        if (named.size() != 1 || !WAYS.contains(named.getFirst())) {
            throw new InvalidException(
                    "on_finish must be one of {\"close_work\": {\"id\"}}, {\"open_review\": {\"step\", "
                            + "\"intent\", \"project\"}}, {\"webhook\": {\"url\"}} and {\"step\": {\"key\", \"input\"}}");
        }
        String way = named.getFirst();
        JsonNode how = given.get(way);
        return switch (way) {
            case "close_work" -> new CloseWork(text(how, way, "id"), textOrNull(how, "reason"));
            case "open_review" ->
                new OpenReview(text(how, way, "step"), text(how, way, "intent"), textOrNull(how, "project"));
            case "webhook" -> new Webhook(text(how, way, "url"));
            default -> new FollowUp(text(how, way, "key"), how.get("input"));
        };
    }

    private static String text(JsonNode how, String way, String name) {
        String text = textOrNull(how, name);
        if (text == null || text.isBlank()) {
            throw new InvalidException("on_finish." + way + " needs " + name);
        }
        return text;
    }

    private static @Nullable String textOrNull(JsonNode how, String name) {
        JsonNode value = how.get(name);
        return value != null && value.isString() ? value.stringValue() : null;
    }
}
