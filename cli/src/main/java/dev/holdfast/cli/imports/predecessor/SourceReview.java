package dev.holdfast.cli.imports.predecessor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One review from the file with everything that belongs to it, in the form that the verb {@code import_reviews} takes.
 */
record SourceReview(SourceRow review, List<SourceRow> messages, List<SourceRow> events) {
    private static final Set<String> STATUSES =
            Set.of("pending", "claimed", "in_review", "approved", "changes_requested", "closed");

    /** @throws IllegalArgumentException saying which part cannot be understood */
    Map<String, @Nullable Object> json() {
        String status = review.word("status");
        if (status == null || !STATUSES.contains(status)) {
            throw new IllegalArgumentException("its status '" + status + "' is unknown");
        }
        Instant created = review.time("created_at");
        if (created == null) {
            throw new IllegalArgumentException("its created_at '" + review.text("created_at") + "' is not a time");
        }
        Instant updated = Objects.requireNonNullElse(review.time("updated_at"), created);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", review.text("id"));
        json.put("status", status);
        json.put("intent", Objects.requireNonNullElse(review.text("intent"), ""));
        put(json, "description", review.text("description"));
        put(json, "diff", nothingIfEmpty(review.text("diff")));
        json.put("agent_type", Objects.requireNonNullElse(review.word("agent_type"), "unknown"));
        json.put("agent_role", Objects.requireNonNullElse(review.word("agent_role"), "proposer"));
        json.put("phase", Objects.requireNonNullElse(review.text("phase"), ""));
        for (String column : List.of("plan", "task", "project", "category", "claimed_by")) {
            put(json, column, review.word(column));
        }
        String priority = review.word("priority");
        json.put("priority", "critical".equals(priority) || "low".equals(priority) ? priority : "normal");
        json.put("round", round());
        json.put("skip_diff_validation", review.number("skip_diff_validation", 0) != 0);
        json.put(
                "claimed_at",
                Objects.requireNonNullElse(review.time("claimed_at"), updated).toString());
        json.put("claim_generation", Math.max(0, review.number("claim_generation", 0)));
        put(json, "verdict_reason", review.text("verdict_reason"));
        json.put("created_at", created.toString());
        json.put("updated_at", updated.toString());
        json.put("verdicts", new Verdicts(review, round(), updated).of(events));
        json.put("messages", said(created));
        json.put("events", happened(created));
        return json;
    }

    private long round() {
        return Math.max(1, review.number("current_round", 1));
    }

    private List<Map<String, @Nullable Object>> said(Instant created) {
        List<Map<String, @Nullable Object>> said = new ArrayList<>();
        for (SourceRow message : messages) {
            String role = message.word("sender_role");
            String body = message.text("body");
            if (message.word("id") != null && body != null && ("proposer".equals(role) || "reviewer".equals(role))) {
                Map<String, @Nullable Object> one = new LinkedHashMap<>();
                one.put("id", message.text("id"));
                one.put("sender_role", role);
                one.put("round", Math.max(1, message.number("round", 1)));
                one.put("body", body);
                put(one, "metadata", message.text("metadata"));
                one.put(
                        "at",
                        Objects.requireNonNullElse(message.time("created_at"), created)
                                .toString());
                said.add(one);
            }
        }
        return said;
    }

    private List<Map<String, @Nullable Object>> happened(Instant created) {
        List<Map<String, @Nullable Object>> happened = new ArrayList<>();
        for (SourceRow event : events) {
            String type = event.word("event_type");
            if (type == null) {
                continue;
            }
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("number", Math.max(1, event.number("id", 1)));
            one.put(
                    "at",
                    Objects.requireNonNullElse(event.time("created_at"), created)
                            .toString());
            put(one, "actor", event.word("actor"));
            put(
                    one,
                    "claim_generation",
                    event.members("metadata").get("claim_generation") instanceof Number n ? n : null);
            if (type.equals("review_claimed")) {
                one.put("type", "claimed"); // a grant is an event of its claim
            } else {
                one.put("type", type);
                put(one, "old_status", event.word("old_status"));
                put(one, "new_status", event.word("new_status"));
                put(one, "metadata", event.object("metadata"));
            }
            happened.add(one);
        }
        return happened;
    }

    static void put(Map<String, @Nullable Object> json, String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    static @Nullable String nothingIfEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
