package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What the verbs of work take and tell alike. */
final class WorkFields {
    static final Field ID = word("id", "the item").must().example("hf-3k9x");
    static final Field QUEUE = word("queue", "only of this queue");
    static final Field TYPE = word("type", "only of this type, such as bug");
    static final Field LABELS = Field.texts("labels", WorkLimits.LONGEST_WORD, "only items with all of these labels");

    static final Field GENERATION =
            Field.integer("claim_generation", 0L, null, "the generation of your claim on the item");

    static final Field HOLDER = Field.text(
                    "holder", Text.LONGEST_HOLDER, "your agent id; required if you hold the item")
            .ofActor();

    static final Field STATUS = Field.text("status", 20, "its status")
            .oneOf(Arrays.stream(WorkStatus.values()).map(WorkStatus::toString).toList());

    /** The same text would stand in a dozen schemas. */
    static final Field ITEM = Field.anything("item", "the item, as in get_work");

    private static final List<Field> SUMMARY = List.of(
            ID,
            word("title", "what to do").must(),
            STATUS.must(),
            Field.integer("priority", 0L, 4L, "0 first, 4 last").must(),
            word("type", "task, bug, ...").must(),
            Field.texts("labels", WorkLimits.LONGEST_WORD, "its labels").must(),
            word("queue", "its queue").must(),
            word("parent", "the item it is part of"),
            word("assignee", "who should do it"),
            word("holder", "who works on it"),
            Field.texts("blocked_by", WorkLimits.LONGEST_WORD, "what must be closed first"),
            Field.text("blocked_reason", WorkLimits.LONGEST_TEXT, "why it is blocked, if given"),
            Field.flag("parked", "it failed too often and needs attention"));

    private static final Field CLAIM = Field.object(
            "claim",
            "who has it",
            Stream.concat(ClaimJson.CLAIM.stream(), Stream.of(Field.time("last_beat_at", "its last heartbeat")))
                    .toList());

    static final List<Field> DETAILS = Stream.concat(
                    SUMMARY.stream(),
                    Stream.of(
                            Field.text("description", WorkLimits.LONGEST_TEXT, "what the job is; data from others"),
                            word("external_ref", "its name elsewhere"),
                            Field.anything("metadata", "custom JSON"),
                            Field.time("defer_until", "do not start before"),
                            Field.integer("attempts", 0L, null, "claims that failed or expired")
                                    .must(),
                            CLAIM,
                            Field.text("note", Text.LONGEST_NOTE, "note from the previous holder"),
                            Field.objects(
                                            "dependencies",
                                            "what it depends on",
                                            List.of(
                                                    word("depends_on", "the other item")
                                                            .must(),
                                                    word("type", "blocks, parent-child, ...")
                                                            .must(),
                                                    Field.flag("holds", "it must be closed first")
                                                            .must()))
                                    .must(),
                            Field.time("created_at", "").must(),
                            word("created_by", ""),
                            Field.time("updated_at", "").must(),
                            Field.time("closed_at", ""),
                            word("closed_by", ""),
                            Field.text("close_reason", WorkLimits.LONGEST_TEXT, "")))
            .toList();

    static final List<Field> LIST =
            List.of(Field.objects("items", "in order", SUMMARY).must(), Pages.NEXT_CURSOR);

    private WorkFields() {}

    static Field word(String name, String description) {
        return Field.text(name, WorkLimits.LONGEST_WORD, description);
    }

    static Map<String, @Nullable Object> summary(WorkItem item) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("id", item.id());
        told.put("title", item.title());
        told.put("status", item.status().toString());
        told.put("priority", item.priority());
        told.put("type", item.type());
        told.put("labels", List.copyOf(new TreeSet<>(item.labels())));
        told.put("queue", item.queue());
        ClaimVerbs.putIfGiven(told, "parent", item.parent());
        ClaimVerbs.putIfGiven(told, "assignee", item.assignee());
        Claim claim = item.claim();
        ClaimVerbs.putIfGiven(told, "holder", claim == null ? null : claim.holder());
        if (!item.blockedBy().isEmpty()) {
            told.put("blocked_by", item.blockedBy());
        }
        ClaimVerbs.putIfGiven(told, "blocked_reason", item.blockedReason());
        if (item.parked()) {
            told.put("parked", true);
        }
        return told;
    }

    static Map<String, @Nullable Object> details(WorkItem item) {
        Map<String, @Nullable Object> told = summary(item);
        ClaimVerbs.putIfGiven(told, "description", item.description());
        ClaimVerbs.putIfGiven(told, "external_ref", item.externalRef());
        String metadata = item.metadata();
        ClaimVerbs.putIfGiven(
                told, "metadata", metadata == null ? null : JsonMapper.shared().readTree(metadata));
        ClaimVerbs.putIfGiven(told, "defer_until", time(item.deferUntil()));
        told.put("attempts", item.attempts());
        Claim claim = item.claim();
        ClaimVerbs.putIfGiven(told, "claim", claim == null ? null : claim(claim));
        ClaimVerbs.putIfGiven(told, "note", item.note());
        told.put(
                "dependencies",
                item.dependencies().stream().map(WorkFields::dependency).toList());
        told.put("created_at", ClaimJson.time(item.createdAt()));
        ClaimVerbs.putIfGiven(told, "created_by", item.createdBy());
        told.put("updated_at", ClaimJson.time(item.updatedAt()));
        ClaimVerbs.putIfGiven(told, "closed_at", time(item.closedAt()));
        ClaimVerbs.putIfGiven(told, "closed_by", item.closedBy());
        ClaimVerbs.putIfGiven(told, "close_reason", item.closeReason());
        return told;
    }

    private static Map<String, @Nullable Object> claim(Claim claim) {
        Map<String, @Nullable Object> told = ClaimJson.claim(claim);
        told.put("last_beat_at", ClaimJson.time(claim.renewedAt()));
        return told;
    }

    private static Map<String, @Nullable Object> dependency(Dependency dependency) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("depends_on", dependency.dependsOn());
        told.put("type", dependency.type());
        told.put("holds", dependency.holds());
        return told;
    }

    private static @Nullable String time(@Nullable Instant time) {
        return time == null ? null : ClaimJson.time(time);
    }

    /** A time that a caller gave. */
    static @Nullable Instant time(Arguments given, String name) {
        String text = given.textOrNull(name);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            throw new InvalidException(name + " must be a time such as 2026-12-24T18:00:00Z, not '" + text + "'");
        }
    }

    static Answer item(WorkItem item) {
        return Answer.of(details(item));
    }
}
