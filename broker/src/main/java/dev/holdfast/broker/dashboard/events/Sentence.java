package dev.holdfast.broker.dashboard.events;

import dev.holdfast.broker.dashboard.part.Detail;
import dev.holdfast.broker.dashboard.part.OneLine;
import dev.holdfast.broker.dashboard.part.PlainWord;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An event of a common type in plain words; for other types, the details as they are. The JSON always has everything.
 */
final class Sentence {
    private Sentence() {}

    /**
     * @param json as stored; null: nothing
     * @param detail the same, parsed; null: it is not JSON
     */
    static String of(String type, @Nullable String json, @Nullable JsonNode detail, int longest) {
        if (detail == null) {
            return Detail.of(json, longest);
        }
        JsonNode metadata = detail.path("metadata");
        String said = switch (type) {
            case "review_created" -> text(metadata, "intent");
            case "review_revised" -> "round " + text(metadata, "round");
            case "verdict_submitted", "verdict_comment" -> verdict(metadata);
            case "message_sent" -> text(metadata, "body_preview");
            case "review_withdrawn" -> text(metadata, "reason");
            case "reviewer_spawned" -> text(metadata, "display_name") + after(", process ", text(metadata, "pid"));
            case "reviewer_drain_start" -> text(metadata, "reason") + after(": ", text(metadata, "why"));
            case "claimed" -> after("under ", text(detail, "under"));
            case "taken_over" -> after("from ", text(detail, "displaced"));
            case "reclaimed" -> after("from ", text(detail, "displaced")) + after(": ", text(detail, "reason"));
            case "work_created" -> text(detail, "title");
            case "work_closed" -> text(detail, "reason");
            case "task_created" -> text(detail, "name") + after(", steps: ", text(detail, "steps"));
            case "step_failed_attempt" ->
                after("attempt ", text(detail, "attempts")) + after(": ", text(detail, "error"));
            default -> "";
        };
        return said.isEmpty() ? Detail.of(json, longest) : OneLine.of(said, longest);
    }

    private static String verdict(JsonNode metadata) {
        long findings = metadata.path("findings").size();
        String verdict = text(metadata, "verdict");
        String found = findings == 0 ? "" : findings == 1 ? "1 finding" : findings + " findings";
        return Stream.of(verdict, found, text(metadata, "reason"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** Leaves the word out if nothing follows it. */
    private static String after(String word, String value) {
        return value.isEmpty() ? "" : word + value;
    }

    private static String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isMissingNode() || value.isNull() || value.isContainer() ? "" : PlainWord.of(value.asString());
    }
}
