package dev.holdfast.cli.imports;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of an import. */
final class ImportReport {
    private static final List<String> OUTCOMES = List.of("imported", "updated", "unchanged", "kept", "refused");

    private final String file;
    private final boolean dry;
    private final Map<String, Long> outcomes = new LinkedHashMap<>();
    private final Map<String, Long> statuses = new LinkedHashMap<>();
    private final List<Map<String, String>> skipped = new ArrayList<>();
    private Map<String, Long> leftBehind = Map.of();
    private long messages;
    private long events;

    ImportReport(String file, boolean dry) {
        this.file = file;
        this.dry = dry;
        OUTCOMES.forEach(outcome -> outcomes.put(outcome, 0L));
    }

    /** Records what the broker did with each of these, in order. */
    void taken(List<Map<String, ?>> batch, List<JsonObject> answers) {
        for (int i = 0; i < batch.size(); i++) {
            JsonObject answer = answers.get(i);
            Map<String, ?> review = batch.get(i);
            String outcome = String.valueOf(answer.text("outcome"));
            outcomes.merge(outcome, 1L, Long::sum);
            String reason = answer.text("reason");
            if (reason != null) {
                skipped.add(skipped(String.valueOf(review.get("id")), outcome, reason));
            } else if (!outcome.equals("unchanged")) {
                statuses.merge(String.valueOf(review.get("status")), 1L, Long::sum);
                messages += size(review.get("messages"));
                events += size(review.get("events"));
            }
        }
    }

    void refused(String id, String reason) {
        outcomes.merge("refused", 1L, Long::sum);
        skipped.add(skipped(id, "refused", reason));
    }

    void leftBehind(Map<String, Long> left) {
        leftBehind = left;
    }

    private static Map<String, String> skipped(String id, String outcome, String reason) {
        Map<String, String> one = new LinkedHashMap<>();
        one.put("id", id);
        one.put("outcome", outcome);
        one.put("reason", reason);
        return one;
    }

    private static long size(@Nullable Object list) {
        return list instanceof List<?> entries ? entries.size() : 0;
    }

    long reviews() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    boolean complete() {
        return number("refused") == 0;
    }

    private long number(String outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("file", file);
        json.put("dry_run", dry);
        json.put("reviews", reviews());
        json.putAll(outcomes);
        json.put("by_status", statuses);
        json.put("messages", messages);
        json.put("events", events);
        json.put("skipped", skipped);
        json.put("left_behind", leftBehind);
        return json;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add((dry ? "dry run: " : "") + reviews() + " reviews in " + Printable.of(file) + ": "
                + number("imported") + " new, " + number("updated") + " updated, " + number("unchanged")
                + " unchanged, " + skipped.size() + " skipped");
        if (!statuses.isEmpty()) {
            lines.add("  imported: " + joined(statuses) + "; with " + messages + " messages and " + events + " events");
        }
        for (Map<String, String> one : skipped) {
            lines.add("  skipped " + Printable.of(one.getOrDefault("id", "")) + ": "
                    + Printable.of(one.getOrDefault("reason", "")));
        }
        if (!leftBehind.isEmpty()) {
            lines.add("  not imported, because it belongs to no review: " + joined(leftBehind));
        }
        return lines;
    }

    private static String joined(Map<String, Long> numbers) {
        List<String> parts = new ArrayList<>();
        numbers.forEach((what, number) -> parts.add(number + " " + what));
        return String.join(", ", parts);
    }
}
