package dev.holdfast.work;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A made-up export with every field that beads writes, in its order, some of them odd. */
final class BeadsSample {
    private static final List<String> STATUSES = List.of(
            "open",
            "open",
            "open",
            "in_progress",
            "blocked",
            "deferred",
            "closed",
            "closed",
            "pinned",
            "hooked",
            "in_review");
    private static final List<String> TYPES =
            List.of("task", "bug", "feature", "epic", "chore", "gate", "message", "spike");
    private static final List<String> EDGES = List.of(
            "blocks", "blocks", "parent-child", "related", "discovered-from", "waits-for", "replies-to", "my-own");

    private final Random random;

    BeadsSample(long seed) {
        random = new Random(seed);
    }

    List<String> issues(int count) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(issue(i, count));
        }
        return lines;
    }

    private String issue(int i, int count) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        String id = id(i);
        String status = oneOf(STATUSES);
        if (random.nextInt(10) == 0) {
            json.put("_type", "issue");
        }
        json.put("id", id).put("title", "issue " + i + " — “quoted” \\ and\ttabbed");
        maybe(json, "description", "what is wrong\nand what to do 😀");
        maybe(json, "design", "by hand");
        maybe(json, "acceptance_criteria", "- it works");
        maybe(json, "notes", "seen on Tuesday");
        maybe(json, "spec_id", "spec-" + i % 7);
        json.put("status", status).put("priority", random.nextInt(5)).put("issue_type", oneOf(TYPES));
        if (!status.equals("in_progress") || random.nextInt(5) > 0) {
            maybe(json, "assignee", "agent-" + i % 40);
        }
        maybe(json, "owner", "ann@example.org");
        if (random.nextBoolean()) {
            json.put("estimated_minutes", random.nextInt(1_000));
        }
        json.put("created_at", time(i, true));
        maybe(json, "created_by", "ann");
        json.put("updated_at", time(i + 1, false));
        maybe(json, "started_at", time(i, true));
        if (status.equals("closed")) {
            json.put("closed_at", time(i + 1, true)).put("close_reason", "done: see commit 12ab");
            maybe(json, "closed_by_session", "7f3c");
        }
        maybe(json, "due_at", "2031-01-01T00:00:00+02:00");
        if (status.equals("deferred") && random.nextBoolean()) {
            json.put("defer_until", random.nextBoolean() ? "2040-01-01T00:00:00Z" : "2020-01-01T00:00:00.123456789Z");
        }
        maybe(json, "external_ref", "gh-" + i);
        maybe(json, "source_system", "jira");
        if (random.nextBoolean()) {
            json.putObject("metadata")
                    .put("points", 3)
                    .put("ratio", 0.1)
                    .putNull("nothing")
                    .putArray("list")
                    .add(1);
        }
        if (random.nextInt(5) == 0) {
            json.put("compaction_level", 1)
                    .put("compacted_at", time(i, false))
                    .put("compacted_at_commit", "12ab34cd")
                    .put("original_size", 123456);
        }
        if (random.nextBoolean()) {
            var labels = json.putArray("labels");
            for (int n = random.nextInt(4); n >= 0; n--) {
                labels.add("label-" + random.nextInt(20));
            }
        }
        edges(json, i, id, count);
        if (random.nextInt(3) == 0) {
            var comments = json.putArray("comments");
            comments.addObject()
                    .put("id", i)
                    .put("issue_id", id)
                    .put("author", "bob")
                    .put("text", "hm")
                    .put("created_at", time(i, true));
            comments.addObject().put("id", "c-" + i).put("author", "ann").put("text", "");
        }
        rare(json, i);
        return json.toString();
    }

    private void edges(ObjectNode json, int i, String id, int count) {
        if (random.nextBoolean()) {
            return;
        }
        var edges = json.putArray("dependencies");
        for (int n = random.nextInt(3); n >= 0; n--) {
            // mostly upwards; now and then to anywhere, so that there are circles, or out of the export
            String on = random.nextInt(30) == 0
                    ? (random.nextBoolean() ? id(random.nextInt(count)) : "external:shop:pay")
                    : id(i == 0 ? count + 5 : random.nextInt(i));
            edges.addObject()
                    .put("issue_id", id)
                    .put("depends_on_id", on)
                    .put("type", oneOf(EDGES))
                    .put("created_at", time(i, true))
                    .put("created_by", "ann")
                    .put("metadata", "{}")
                    .put("thread_id", "t" + n);
        }
    }

    private void rare(ObjectNode json, int i) {
        maybe(json, "sender", "mayor");
        for (String flag : List.of("ephemeral", "no_history", "pinned", "is_template", "wisp")) {
            if (random.nextInt(25) == 0) {
                json.put(flag, true);
            }
        }
        if (random.nextInt(10) == 0) {
            json.put("wisp_type", "patrol");
            json.putArray("bonded_from").addObject().put("source_id", "bd-9");
            json.put("await_type", "timer").put("await_id", "x").put("timeout", 3_600_000_000_000L);
            json.putArray("waiters").add("a").add("b");
            json.put("source_formula", "f").put("source_location", "l").put("mol_type", "swarm");
            json.put("work_type", "mutex")
                    .put("event_kind", "patrol.muted")
                    .put("actor", "a")
                    .put("target", "t");
            json.put("payload", "{\"deep\": [1, 2]}");
        }
        json.put("dependency_count", i % 3).put("dependent_count", i % 5).put("comment_count", 0);
        if (random.nextInt(4) == 0) {
            json.put("lease_expires_at", time(i, false))
                    .put("heartbeat_at", time(i, true))
                    .put("granting_node", "n1");
            json.put("claim_fence", 12345678901234567L);
            json.putObject("from_the_future").put("exact", new java.math.BigDecimal("1.100000000000000000001"));
        }
    }

    private static String id(int i) {
        return "bd-" + Integer.toString(i * 7919 % 1_000_003 + 46_656, 36) + (i % 10 == 9 ? "." + i % 7 : "") + "x" + i;
    }

    private static String time(int i, boolean fine) {
        Instant at = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i * 61L);
        return fine ? at.plusNanos(123_456_700 + i).toString() : at.toString().replace("Z", "+00:00");
    }

    private void maybe(ObjectNode json, String name, String value) {
        if (random.nextBoolean()) {
            json.put(name, value);
        }
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
