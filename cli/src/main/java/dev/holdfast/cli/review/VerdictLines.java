package dev.holdfast.cli.review;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts on a review, from its events.
 *
 * @param lastReason the last verdict's reason, which for imported reviews is only here
 */
record VerdictLines(List<JsonObject> events, @Nullable String lastReason) {
    List<String> lines(Colours paint, WrappedText prose) {
        List<String> lines = new ArrayList<>();
        JsonObject last = events.stream()
                .filter(VerdictLines::isVerdict)
                .reduce((_, later) -> later)
                .orElse(JsonObject.of(null));
        long round = 1;
        for (JsonObject event : events) {
            if ("review_revised".equals(event.text("event_type"))) {
                round++;
            } else if (isVerdict(event)) {
                JsonObject metadata = event.object("metadata");
                String verdict = Objects.requireNonNullElse(metadata.text("verdict"), word(event));
                String reviewer = Objects.requireNonNullElse(metadata.text("reviewer_id"), event.text("actor"));
                lines.add(paint.status(Printable.of(verdict)) + " by " + Printable.of(String.valueOf(reviewer))
                        + ", round " + round + ", " + JsonText.time(event, "timestamp")
                        + (verdict.equals("approved") ? ReviewText.readAll(metadata.get("read_all")) : ""));
                String reason = metadata.text("reason");
                String shown = reason == null && event.equals(last) ? lastReason : reason;
                if (shown != null) {
                    lines.addAll(prose.lines("  ", shown));
                }
            }
        }
        return lines;
    }

    private static boolean isVerdict(JsonObject event) {
        String type = event.text("event_type");
        return "verdict_submitted".equals(type)
                || "verdict_comment".equals(type)
                || "review_auto_rejected".equals(type);
    }

    private static String word(JsonObject event) {
        return "verdict_comment".equals(event.text("event_type"))
                ? "comment"
                : String.valueOf(event.text("new_status"));
    }
}
