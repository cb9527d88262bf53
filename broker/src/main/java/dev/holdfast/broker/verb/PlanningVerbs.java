package dev.holdfast.broker.verb;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.NewWork;
import dev.holdfast.work.WorkChange;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Making and changing items: {@code create_work update_work add_dependency remove_dependency}. */
final class PlanningVerbs {
    private static final Field TITLE = Field.text("title", WorkLimits.LONGEST_TITLE, "what to do, in one line");

    private static final List<Field> ABOUT = List.of(
            Field.text("description", WorkLimits.LONGEST_TEXT, "everything needed to do it"),
            Field.integer("priority", 0L, 4L, "0 first, 4 last; left out: 2"),
            WorkFields.word("type", "task, bug, feature, epic, chore or your own; default: task"),
            Field.texts("labels", WorkLimits.LONGEST_WORD, "labels that claim_next_work can filter by"),
            WorkFields.word("queue", "the backlog it belongs to, such as the repository"),
            WorkFields.word("assignee", "who should do it; this does not claim it"),
            WorkFields.word("external_ref", "its name elsewhere, such as GH-17"),
            Field.text("defer_until", 40, "do not start before this time (ISO 8601)"),
            Field.anything("metadata", "a JSON object of your own"));

    private static final Field DEPENDS_ON =
            WorkFields.word("depends_on", "the item it depends on").must();

    private final WorkItems work;

    PlanningVerbs(WorkItems work) {
        this.work = work;
    }

    List<Verb> verbs() {
        return List.of(
                create(),
                update(),
                new Verb(
                        "add_dependency",
                        """
                        Make an item depend on another. blocks: it waits until the other is closed. parent-child: \
                        it is part of the other. related, discovered-from: informational only. Dependency cycles are refused. \
                        Example: {"id": "hf-3k9x", "depends_on": "hf-77ab"}""",
                        List.of(WorkFields.ID, DEPENDS_ON, type("left out: blocks"), WorkFields.HOLDER),
                        List.of(WorkFields.ITEM.must()),
                        Verb.Nature.CHANGE,
                        this::addDependency),
                new Verb(
                        "remove_dependency",
                        "Remove a dependency between two items. Example: {\"id\": \"hf-3k9x\", \"depends_on\": \"hf-77ab\"}",
                        List.of(WorkFields.ID, DEPENDS_ON, type("default: any type"), WorkFields.HOLDER),
                        List.of(WorkFields.ITEM.must()),
                        Verb.Nature.CHANGE,
                        this::removeDependency));
    }

    private static Field type(String otherwise) {
        return Field.text("type", 40, "how; " + otherwise).oneOf(Dependency.TYPES);
    }

    private Verb create() {
        return new Verb(
                "create_work",
                """
                Create a work item. List in depends_on what must be closed first. If it came up while you \
                worked on another item, give that as discovered_from. \
                Example: {"title": "Parse ISO dates", "priority": 1, "labels": ["java"], "depends_on": ["hf-77ab"]}""",
                Stream.of(
                                Stream.of(TITLE.must()),
                                ABOUT.stream(),
                                Stream.of(
                                        WorkFields.word("parent", "the item it is part of"),
                                        Field.texts(
                                                "depends_on",
                                                WorkLimits.LONGEST_WORD,
                                                "items that must be closed before it"),
                                        WorkFields.word("discovered_from", "the item during which it came up"),
                                        WorkFields.word("id", "your own id; default: generated"),
                                        WorkFields.HOLDER))
                        .flatMap(fields -> fields)
                        .toList(),
                List.of(WorkFields.ITEM.must()),
                Verb.Nature.TAKE,
                this::create);
    }

    private Answer create(Arguments given) {
        NewWork made = NewWork.titled(given.text("title"))
                .id(given.textOrNull("id"))
                .description(given.textOrNull("description"))
                .priority((int) given.number("priority", NewWork.ORDINARY_PRIORITY))
                .labels(given.texts("labels"))
                .parent(given.textOrNull("parent"))
                .dependsOn(given.texts("depends_on"))
                .discoveredFrom(given.textOrNull("discovered_from"))
                .assignee(given.textOrNull("assignee"))
                .externalRef(given.textOrNull("external_ref"))
                .deferUntil(WorkFields.time(given, "defer_until"))
                .metadata(json(given.jsonOrNull("metadata")))
                .actor(given.textOrNull("holder"));
        String type = given.textOrNull("type");
        if (type != null) {
            made.type(type);
        }
        String queue = given.textOrNull("queue");
        if (queue != null) {
            made.queue(queue);
        }
        return told(work.making().create(made));
    }

    private Verb update() {
        return new Verb(
                "update_work",
                """
                Change a work item; omitted fields stay, an empty text clears a field. While somebody \
                holds it only the holder may, with holder and claim_generation. status open, blocked (with reason) or deferred \
                releases it; to start it, claim_work; to finish it, close_work. note goes to the next holder, even if you \
                do not come back. Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "claim_generation": 3, \
                "note": "parser done, tests missing"}""",
                Stream.of(
                                Stream.of(WorkFields.ID, WorkFields.HOLDER, WorkFields.GENERATION, TITLE),
                                ABOUT.stream(),
                                Stream.of(
                                        Field.text("status", 20, "open, blocked or deferred"),
                                        Field.text("reason", WorkLimits.LONGEST_TEXT, "why it is blocked"),
                                        Field.text("note", Text.LONGEST_NOTE, "for the next holder")))
                        .flatMap(fields -> fields)
                        .toList(),
                List.of(WorkFields.ITEM.must()),
                Verb.Nature.CHANGE,
                this::update);
    }

    private Answer update(Arguments given) {
        Long priority = given.numberOrNull("priority");
        WorkChange change = new WorkChange()
                .title(given.textOrNull("title"))
                .description(given.textOrNull("description"))
                .priority(priority == null ? null : priority.intValue())
                .type(given.textOrNull("type"))
                .labels(given.has("labels") ? given.texts("labels") : null)
                .queue(given.textOrNull("queue"))
                .assignee(given.textOrNull("assignee"))
                .externalRef(given.textOrNull("external_ref"))
                .metadata(json(given.jsonOrNull("metadata")))
                .status(status(given))
                .reason(given.textOrNull("reason"))
                .deferUntil(WorkFields.time(given, "defer_until"))
                .note(given.textOrNull("note"))
                .actor(given.textOrNull("holder"));
        Long generation = given.numberOrNull("claim_generation");
        String holder = given.textOrNull("holder");
        if (generation != null && holder == null) {
            throw new InvalidException("claim_generation was given without holder; give both, as in the claim");
        }
        Fence fence = generation == null ? new Fence(null, null) : new Fence(holder, generation);
        return told(work.changing().update(given.text("id"), fence, change));
    }

    /** A date alone says that it is to be put off. */
    private static @Nullable WorkStatus status(Arguments given) {
        String word = given.textOrNull("status");
        if (word == null) {
            return given.has("defer_until") ? WorkStatus.DEFERRED : null;
        }
        return WorkStatus.of(word)
                .orElseThrow(
                        () -> new InvalidException("status must be open, blocked or deferred, not '" + word + "'"));
    }

    private Answer addDependency(Arguments given) {
        String type = given.textOrNull("type");
        return told(work.dependencies()
                .add(
                        given.text("id"),
                        given.text("depends_on"),
                        type == null ? Dependency.BLOCKS : type,
                        given.textOrNull("holder")));
    }

    private Answer removeDependency(Arguments given) {
        return told(work.dependencies()
                .remove(
                        given.text("id"),
                        given.text("depends_on"),
                        given.textOrNull("type"),
                        given.textOrNull("holder")));
    }

    private static @Nullable String json(@Nullable JsonNode metadata) {
        return metadata == null ? null : metadata.toString();
    }

    static Answer told(WorkItem item) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("item", WorkFields.details(item));
        return Answer.of(told);
    }
}
