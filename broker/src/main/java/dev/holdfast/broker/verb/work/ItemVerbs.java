package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.NewWork;
import dev.holdfast.work.WorkChange;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Creating and changing items: {@code create_work update_work add_dependency remove_dependency}. */
record ItemVerbs(Shapes shapes, WorkItems work) {
    static final String TITLE = "what to do, in one line";

    /** The descriptive fields of an item. */
    record About(
            @Field(value = "everything needed to do it", longest = WorkLimits.LONGEST_TEXT) @Nullable
            String description,

            @Field(value = "0 first, 4 last; new items: 2", max = 4) @Nullable
            Integer priority,

            @Field(
                    value = "task, bug, feature, epic, chore or your own; new items are tasks",
                    longest = WorkLimits.LONGEST_TYPE)
            @Nullable
            String type,

            @Field("labels that claim_next_work can filter by") @Nullable
            Set<String> labels,

            @Field("the backlog it belongs to, such as the repository") @Nullable
            String queue,

            @Field("who should do it; this does not claim it") @Nullable
            String assignee,

            @Field("its name elsewhere, such as GH-17") @Nullable
            String externalRef,

            @Field(value = "do not start before this time (ISO 8601)", longest = 40) @Nullable
            Instant deferUntil,

            @Field(value = "a JSON object of your own", brief = true) @Nullable
            JsonNode metadata) {
        @Nullable
        String metadataText() {
            return metadata == null ? null : metadata.toString();
        }
    }

    @Definition(
            name = "create_work",
            effect = VerbEffect.TAKE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Create a work item. List in depends_on what must be closed first. If it came up while you \
                    worked on another item, give that as discovered_from. \
                    Example: {"title": "Parse ISO dates", "priority": 1, "labels": ["java"], "depends_on": ["hf-77ab"]}""")
    record CreateWork(
            @Field(value = TITLE, longest = WorkLimits.LONGEST_TITLE)
            String title,

            @Inline About about,

            @Field(value = "the item it is part of", idOf = Kind.WORK) @Nullable
            String parent,

            @Field(value = "items that must be closed before it", idOf = Kind.WORK)
            Set<String> dependsOn,

            @Field(value = "the item during which it was discovered", idOf = Kind.WORK) @Nullable
            String discoveredFrom,

            @Field("your own id; default: generated") @Nullable
            String id,

            @WorkFields.MaybeHolder @Nullable String holder) {}

    @Definition(name = "update_work", effect = VerbEffect.CHANGE, toolsets = Toolset.WORK, description = """
                    Change a work item; omitted fields stay, an empty text clears a field. While it is \
                    held, only its holder may, with holder and claim_generation. status open, blocked (with reason) or deferred \
                    releases it; to start it, claim_work; to finish it, close_work. note goes to the next holder, even if you \
                    do not come back. Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "claim_generation": 3, \
                    "note": "parser done, tests missing"}""")
    record UpdateWork(
            @WorkFields.Id String id,
            @WorkFields.MaybeHolder @Nullable String holder,
            @WorkFields.Generation @Nullable Long claimGeneration,

            @Field(value = TITLE, longest = WorkLimits.LONGEST_TITLE) @Nullable
            String title,

            @Inline About about,

            @Field(value = "open, blocked or deferred", longest = 20) @Nullable
            String status,

            @Field(value = "why it is blocked", longest = WorkLimits.LONGEST_TEXT) @Nullable
            String reason,

            @Field(value = "for the next holder", longest = Text.LONGEST_NOTE) @Nullable
            String note) {}

    @Definition(name = "add_dependency", effect = VerbEffect.CHANGE, toolsets = Toolset.WORK, description = """
                    Make an item depend on another. blocks: it waits until the other is closed. parent-child: \
                    it is part of the other. related, discovered-from: informational only. Dependency cycles are refused. \
                    Example: {"id": "hf-3k9x", "depends_on": "hf-77ab"}""")
    record AddDependency(
            @WorkFields.Id String id,

            @Field(value = "the item it depends on", idOf = Kind.WORK)
            String dependsOn,

            @Field(
                    value = "how; default: blocks",
                    longest = 40,
                    words = {Dependency.BLOCKS, Dependency.PARENT_CHILD, "related", "discovered-from"})
            @Nullable
            String type,

            @WorkFields.MaybeHolder @Nullable String holder) {}

    @Definition(name = "remove_dependency", effect = VerbEffect.CHANGE, toolsets = Toolset.WORK, description = """
                    Remove a dependency between two items. Example: {"id": "hf-3k9x", "depends_on": "hf-77ab"}""")
    record RemoveDependency(
            @WorkFields.Id String id,

            @Field(value = "the item it depends on", idOf = Kind.WORK)
            String dependsOn,

            @Field(
                    value = "how; default: any type",
                    longest = 40,
                    words = {Dependency.BLOCKS, Dependency.PARENT_CHILD, "related", "discovered-from"})
            @Nullable
            String type,

            @WorkFields.MaybeHolder @Nullable String holder) {}

    record Changed(
            @Field(value = WorkFields.ITEM, brief = true) ItemJson item) {
        static Changed of(WorkItem item, Call call) {
            return new Changed(ItemJson.of(item, call));
        }
    }

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, CreateWork.class, Changed.class, this::create),
                Verb.of(shapes, UpdateWork.class, Changed.class, this::update),
                Verb.of(shapes, AddDependency.class, Changed.class, this::addDependency),
                Verb.of(shapes, RemoveDependency.class, Changed.class, this::removeDependency));
    }

    private Changed create(CreateWork given, Call call) {
        About about = given.about();
        NewWork made = NewWork.titled(given.title())
                .id(given.id())
                .description(about.description())
                .priority(Objects.requireNonNullElse(about.priority(), NewWork.ORDINARY_PRIORITY))
                .labels(Objects.requireNonNullElse(about.labels(), Set.of()))
                .parent(given.parent())
                .dependsOn(given.dependsOn())
                .discoveredFrom(given.discoveredFrom())
                .assignee(about.assignee())
                .externalRef(about.externalRef())
                .deferUntil(about.deferUntil())
                .metadata(about.metadataText())
                .actor(given.holder());
        if (about.type() != null) {
            made.type(about.type());
        }
        if (about.queue() != null) {
            made.queue(about.queue());
        }
        return Changed.of(work.making().create(made), call);
    }

    private Changed update(UpdateWork given, Call call) {
        About about = given.about();
        WorkChange change = new WorkChange()
                .title(given.title())
                .description(about.description())
                .priority(about.priority())
                .type(about.type())
                .labels(about.labels())
                .queue(about.queue())
                .assignee(about.assignee())
                .externalRef(about.externalRef())
                .metadata(about.metadataText())
                .status(status(given))
                .reason(given.reason())
                .deferUntil(about.deferUntil())
                .note(given.note())
                .actor(given.holder());
        if (given.claimGeneration() != null && given.holder() == null) {
            throw new InvalidException("claim_generation was given without holder; give both, as in the claim");
        }
        Fence fence = given.claimGeneration() == null
                ? new Fence(null, null)
                : new Fence(given.holder(), given.claimGeneration());
        return Changed.of(work.changing().update(given.id(), fence, change), call);
    }

    /** A date alone means that the item is deferred. */
    private static @Nullable WorkStatus status(UpdateWork given) {
        String word = given.status();
        if (word == null) {
            return given.about().deferUntil() == null ? null : WorkStatus.DEFERRED;
        }
        return WorkStatus.of(word)
                .orElseThrow(
                        () -> new InvalidException("status must be open, blocked or deferred, not '" + word + "'"));
    }

    private Changed addDependency(AddDependency given, Call call) {
        String type = Objects.requireNonNullElse(given.type(), Dependency.BLOCKS);
        return Changed.of(work.dependencies().add(given.id(), given.dependsOn(), type, given.holder()), call);
    }

    private Changed removeDependency(RemoveDependency given, Call call) {
        return Changed.of(
                work.dependencies().remove(given.id(), given.dependsOn(), given.type(), given.holder()), call);
    }
}
