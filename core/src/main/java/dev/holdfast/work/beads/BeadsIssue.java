package dev.holdfast.work.beads;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.NewWork;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An issue of a beads export, as far as it is relevant here; everything else stays in its line.
 *
 * @param status as set here; an issue in progress there is open here, and held
 * @param holder who is working on it
 */
record BeadsIssue(
        ObjectNode json,
        String id,
        String title,
        @Nullable String description,
        WorkStatus status,
        @Nullable String blockedReason,
        @Nullable String holder,
        int priority,
        String type,
        @Nullable String assignee,
        Set<String> labels,
        @Nullable String queue,
        @Nullable String externalRef,
        @Nullable String metadata,
        @Nullable Instant deferUntil,
        @Nullable Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant updatedAt,
        @Nullable Instant closedAt,
        @Nullable String closeReason,
        List<Edge> dependencies) {
    /** Types of issues that beads itself does not offer as work. */
    private static final Set<String> NO_WORK =
            Set.of("merge-request", "gate", "molecule", "message", "agent", "role", "rig", "event");

    private static final Set<String> OPEN = Set.of("", "open", "in_progress");

    /** What it depends on, and by which type. */
    record Edge(String dependsOn, String type) {}

    /** @throws InvalidException saying what is wrong with it */
    static BeadsIssue of(ObjectNode json, String line) {
        String title = WorkLimits.title(required(json, "title"));
        String given = text(json, "id");
        String id = given == null ? madeUp(line) : WorkLimits.id(given);
        String type = word(json, "issue_type", NewWork.ORDINARY_TYPE);
        String status = word(json, "status", "open");
        String assignee = text(json, "assignee");
        Instant deferUntil = time(json, "defer_until");
        boolean inProgress = status.equals("in_progress");
        Stand stand = stand(json, type, status, deferUntil);
        return new BeadsIssue(
                json,
                id,
                title,
                WorkLimits.text("description", text(json, "description")),
                stand.status(),
                stand.reason(),
                inProgress && stand.status() == WorkStatus.OPEN ? holder(assignee) : null,
                WorkLimits.priority(priority(json)),
                WorkLimits.type("issue_type", type),
                WorkLimits.word("assignee", assignee),
                WorkLimits.labels(labels(json)),
                queue(json),
                WorkLimits.text("external_ref", text(json, "external_ref")),
                json.path("metadata").isObject() ? json.path("metadata").toString() : null,
                stand.status() == WorkStatus.DEFERRED ? deferUntil : null,
                time(json, "created_at"),
                text(json, "created_by"),
                time(json, "updated_at"),
                stand.status() == WorkStatus.CLOSED ? time(json, "closed_at") : null,
                stand.status() == WorkStatus.CLOSED
                        ? WorkLimits.text("close_reason", text(json, "close_reason"))
                        : null,
                edges(json));
    }

    /** A copy that nobody holds. */
    BeadsIssue heldByNobody() {
        return new BeadsIssue(
                json,
                id,
                title,
                description,
                status,
                blockedReason,
                null,
                priority,
                type,
                assignee,
                labels,
                queue,
                externalRef,
                metadata,
                deferUntil,
                createdAt,
                createdBy,
                updatedAt,
                closedAt,
                closeReason,
                dependencies);
    }

    private record Stand(WorkStatus status, @Nullable String reason) {}

    private static Stand stand(ObjectNode json, String type, String status, @Nullable Instant deferUntil) {
        if (status.equals("closed")) {
            return new Stand(WorkStatus.CLOSED, null);
        }
        if (NO_WORK.contains(type)) {
            return new Stand(WorkStatus.BLOCKED, "beads does not offer a " + type + " as work");
        }
        for (String flag : List.of("ephemeral", "wisp", "is_template", "pinned")) {
            if (json.path(flag).asBoolean(false)) {
                return new Stand(WorkStatus.BLOCKED, "beads does not offer what is marked " + flag + " as work");
            }
        }
        if (status.equals("deferred") || (OPEN.contains(status) && deferUntil != null)) {
            return new Stand(WorkStatus.DEFERRED, null);
        }
        if (OPEN.contains(status)) {
            return new Stand(WorkStatus.OPEN, null);
        }
        return new Stand(
                WorkStatus.BLOCKED, status.equals("blocked") ? null : "its status in beads is '" + status + "'");
    }

    /** The status that beads would show; used to detect whether it has changed here. */
    String shownStatus() {
        return holder == null ? status.toString() : WorkStatus.IN_PROGRESS.toString();
    }

    /** A name that is not valid as a holder holds nothing. */
    private static @Nullable String holder(@Nullable String assignee) {
        try {
            return assignee == null ? null : Text.holder(assignee);
        } catch (InvalidException _) {
            return null;
        }
    }

    /** The same line is the same issue, however often it is imported. */
    private static String madeUp(String line) {
        return "hf-"
                + UUID.nameUUIDFromBytes(line.getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", "")
                        .substring(0, 12);
    }

    private static int priority(ObjectNode json) {
        JsonNode priority = json.path("priority");
        if (priority.isMissingNode() || priority.isNull()) {
            return 0; // beads leaves out a zero
        }
        if (!priority.isIntegralNumber() || !priority.canConvertToInt()) {
            throw new InvalidException("priority must be a whole number from 0 to 4");
        }
        return priority.intValue();
    }

    /** As written, so that it is exported unchanged; it must be a valid queue. */
    private static @Nullable String queue(ObjectNode json) {
        String queue = text(json, "queue");
        if (queue != null) {
            WorkLimits.queue(queue);
        }
        return queue;
    }

    private static Set<String> labels(ObjectNode json) {
        Set<String> labels = new LinkedHashSet<>();
        for (JsonNode label : json.path("labels")) {
            if (label.isString()) {
                labels.add(label.stringValue());
            }
        }
        return labels;
    }

    private static List<Edge> edges(ObjectNode json) {
        List<Edge> edges = new ArrayList<>();
        for (JsonNode edge : json.path("dependencies")) {
            String on = text(edge, "depends_on_id");
            String type = text(edge, "type");
            if (on != null) {
                edges.add(new Edge(
                        Text.limited("depends_on_id", on, WorkLimits.LONGEST_WORD),
                        WorkLimits.required("type", type == null ? Dependency.BLOCKS : type)));
            }
        }
        return edges;
    }

    private static String required(ObjectNode json, String name) {
        String text = text(json, name);
        if (text == null) {
            throw new InvalidException(name + " is missing");
        }
        return text;
    }

    private static String word(ObjectNode json, String name, String otherwise) {
        String word = text(json, name);
        return word == null ? otherwise : word;
    }

    /** Null if it is missing, empty or not text. */
    private static @Nullable String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isString() && !value.stringValue().isEmpty() ? Text.storable(name, value.stringValue()) : null;
    }

    private static @Nullable Instant time(ObjectNode json, String name) {
        String text = text(json, name);
        try {
            return text == null ? null : Text.time(text);
        } catch (DateTimeException _) {
            return null; // the line keeps the original
        }
    }
}
