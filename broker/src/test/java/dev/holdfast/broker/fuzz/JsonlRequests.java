package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.verb.Verb;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Issue files of beads, with fields that are wrong and lines that are damaged, imported. */
final class JsonlRequests implements Door {
    private static final List<String> FIELDS = List.of(
            "id",
            "title",
            "description",
            "design",
            "acceptance_criteria",
            "notes",
            "status",
            "priority",
            "issue_type",
            "assignee",
            "owner",
            "created_at",
            "updated_at",
            "closed_at",
            "close_reason",
            "labels",
            "dependencies",
            "comments",
            "metadata",
            "ephemeral",
            "pinned",
            "_type",
            "key",
            "value",
            "deleted_at",
            "due_at",
            "defer_until",
            "estimated_minutes",
            "external_ref",
            "source_repo",
            "parent_id");

    private final Verb verb;
    private final HttpRequests http;

    /** @param http judges the answers */
    JsonlRequests(List<Verb> verbs, HttpRequests http) {
        verb = verbs.stream()
                .filter(one -> one.name().equals("import_work"))
                .findFirst()
                .orElseThrow();
        this.http = http;
    }

    @Override
    public Input next(Noise noise) {
        List<String> lines = new ArrayList<>();
        for (int i = noise.random().nextInt(24); i >= 0; i--) {
            lines.add(noise.json(noise.oneIn(40) ? noise.odd(0) : issue(noise)));
        }
        String text = String.join(noise.oneOf(List.of("\n", "\n", "\n", "\r\n", "\n\n", "\r", "\u2028")), lines);
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        arguments.put("lines", noise.oneIn(60) ? noise.odd(0) : noise.oneIn(6) ? noise.damaged(text) : text);
        if (noise.oneIn(3)) {
            arguments.put("queue", noise.oneIn(6) ? noise.odd(0) : "imported");
        }
        if (noise.oneIn(6)) {
            arguments.put("more", noise.oneIn(6) ? noise.odd(0) : true);
        }
        String body = JSON.writeValueAsString(arguments);
        return new Input(
                "POST",
                "/api/v1/import_work",
                List.of("Content-Type: application/json"),
                noise.bytes(body),
                body,
                verb,
                lines.size());
    }

    private static Map<String, @Nullable Object> issue(Noise noise) {
        Map<String, @Nullable Object> issue = new LinkedHashMap<>();
        issue.put("id", id(noise));
        issue.put("title", "something");
        issue.put(
                "status",
                noise.oneOf(List.of("open", "in_progress", "blocked", "closed", "deferred", "tombstone", "hooked")));
        issue.put("priority", noise.random().nextInt(5));
        issue.put("issue_type", noise.oneOf(List.of("task", "bug", "epic", "feature", "chore", "event")));
        issue.put("created_at", "2026-01-01T00:00:00Z");
        issue.put("updated_at", "2026-01-0" + noise.random().nextInt(1, 10) + "T00:00:00+02:00");
        if (noise.oneIn(3)) {
            issue.put("labels", List.of("a", noise.text()));
            issue.put(
                    "dependencies",
                    List.of(Map.of(
                            "issue_id", issue.get("id") == null ? "x" : issue.get("id"),
                            "depends_on_id", id(noise),
                            "type",
                                    noise.oneOf(
                                            List.of("blocks", "parent-child", "related", "discovered-from", "x")))));
            issue.put(
                    "comments",
                    List.of(Map.of(
                            "id", 1, "author", "ann", "text", noise.text(), "created_at", "2026-01-01T00:00:00Z")));
        }
        for (int wrong = noise.oneOf(List.of(0, 1, 1, 2, 3)); wrong > 0; wrong--) {
            issue.put(noise.oneOf(FIELDS), noise.odd(0));
        }
        return issue;
    }

    private static String id(Noise noise) {
        return "bd-" + noise.random().nextInt(200);
    }

    @Override
    public Outcome judge(Input input, Wire.Response response, Learnt learnt) {
        return http.judge(input, response, learnt);
    }
}
