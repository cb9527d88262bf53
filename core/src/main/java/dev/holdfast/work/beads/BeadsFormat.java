package dev.holdfast.work.beads;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkStatus;
import dev.holdfast.work.beads.BeadsIssue.Edge;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Items as lines of a beads export. An item that came from such a line keeps it and is exported with it: byte for byte
 * if nothing about it has changed here, otherwise with only those changes.
 */
final class BeadsFormat {
    /** Keeps numbers as written, however long. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private BeadsFormat() {}

    /** @throws InvalidException if the line is not a JSON object */
    static ObjectNode read(String line) {
        try {
            if (JSON.readTree(line) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new InvalidException("not JSON: " + e.getOriginalMessage());
        } catch (NumberFormatException _) { // which the library does not wrap
            throw new InvalidException("a number in it is too large or too small");
        }
        throw new InvalidException("not a JSON object");
    }

    /** The item as a line. */
    static String write(WorkItem item, @Nullable String source) {
        ObjectNode json = source == null ? JSON.createObjectNode() : read(source);
        BeadsIssue before = source == null ? null : BeadsIssue.of(json, source);
        boolean changed = before == null || !json.has("id");
        if (before == null || !json.has("id")) {
            json.put("id", item.id());
        }
        changed |= put(json, "title", before == null ? null : before.title(), item.title());
        changed |= put(json, "description", before == null ? null : before.description(), item.description());
        changed |= put(json, "status", before == null ? null : before.shownStatus(), status(item));
        if (before == null || before.priority() != item.priority()) {
            json.put("priority", item.priority());
            changed = true;
        }
        changed |= put(json, "issue_type", before == null ? null : before.type(), item.type());
        changed |= put(json, "assignee", before == null ? null : before.assignee(), assignee(item));
        if (before == null || before.queue() != null) { // beads has no queues: export none if none came
            changed |= put(
                    json,
                    "queue",
                    before == null ? null : before.queue(),
                    item.queue().isEmpty() ? null : item.queue());
        }
        changed |= put(json, "external_ref", before == null ? null : before.externalRef(), item.externalRef());
        changed |= put(json, "close_reason", before == null ? null : before.closeReason(), item.closeReason());
        changed |= put(json, "defer_until", before == null ? null : text(before.deferUntil()), text(item.deferUntil()));
        changed |= putMetadata(json, before == null ? null : before.metadata(), item.metadata());
        changed |= putLabels(json, before == null ? Set.of() : before.labels(), item.labels());
        changed |= putDependencies(json, before == null ? List.of() : before.dependencies(), item);
        if (!changed) {
            return Objects.requireNonNull(source);
        }
        if (before == null) {
            json.put("created_at", item.createdAt().toString());
            put(json, "created_by", null, item.createdBy());
        }
        put(json, "closed_at", before == null ? null : text(before.closedAt()), text(item.closedAt()));
        json.put("updated_at", item.updatedAt().toString());
        return json.toString();
    }

    /** The status that beads would show: there, an item that waits for others is open. */
    private static String status(WorkItem item) {
        if (item.parked()) {
            return WorkStatus.BLOCKED.toString();
        }
        return (item.status() == WorkStatus.IN_PROGRESS ? item.status() : item.stated()).toString();
    }

    private static @Nullable String assignee(WorkItem item) {
        return item.claim() == null ? item.assignee() : item.claim().holder();
    }

    /** Times have the precision that the databases keep. */
    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS).toString();
    }

    private static boolean put(ObjectNode json, String name, @Nullable String before, @Nullable String now) {
        if (Objects.equals(before, now)) {
            return false;
        }
        if (now == null) {
            json.remove(name);
        } else {
            json.put(name, now);
        }
        return true;
    }

    private static boolean putMetadata(ObjectNode json, @Nullable String before, @Nullable String now) {
        if (Objects.equals(before, now)) {
            return false;
        }
        if (now == null) {
            json.remove("metadata");
        } else {
            json.set("metadata", read(now));
        }
        return true;
    }

    private static boolean putLabels(ObjectNode json, Set<String> before, Set<String> now) {
        if (before.equals(now)) {
            return false;
        }
        ArrayNode labels = JSON.createArrayNode();
        new TreeSet<>(now).forEach(labels::add);
        json.set("labels", labels);
        return true;
    }

    /** Existing dependencies keep their text; new ones come after them. */
    private static boolean putDependencies(ObjectNode json, List<Edge> before, WorkItem item) {
        Set<Edge> now = new HashSet<>();
        item.dependencies().forEach(edge -> now.add(new Edge(edge.dependsOn(), edge.type())));
        if (now.equals(Set.copyOf(before))) {
            return false;
        }
        ArrayNode kept = JSON.createArrayNode();
        for (JsonNode edge : json.path("dependencies")) {
            String type = edge.path("type").asString("");
            if (now.contains(
                    new Edge(edge.path("depends_on_id").asString(""), type.isEmpty() ? Dependency.BLOCKS : type))) {
                kept.add(edge);
            }
        }
        List<Dependency> added = new ArrayList<>(item.dependencies());
        added.removeIf(edge -> before.contains(new Edge(edge.dependsOn(), edge.type())));
        for (Dependency edge : added) {
            kept.addObject()
                    .put("issue_id", item.id())
                    .put("depends_on_id", edge.dependsOn())
                    .put("type", edge.type());
        }
        json.set("dependencies", kept);
        return true;
    }
}
