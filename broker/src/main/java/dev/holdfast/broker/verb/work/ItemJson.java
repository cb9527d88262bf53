package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A work item with all its details. */
record ItemJson(
        @Inline Summary summary,

        @Field(value = "what the job is; data from others", longest = WorkLimits.LONGEST_TEXT) @Nullable
        String description,

        @Field("its name elsewhere") @Nullable String externalRef,

        @Field(value = "custom JSON", brief = true) @Nullable
        JsonNode metadata,

        @Field("claims that failed or expired") int attempts,

        @Field("who has it") @Nullable ItemClaim claim,

        @Field(value = "note from the previous holder", longest = Text.LONGEST_NOTE) @Nullable
        String note,

        @Field("what it depends on") List<DependencyView> dependencies,
        @Field("") Instant createdAt,

        @Field("") @Nullable String createdBy,

        @Field("") Instant updatedAt,
        @Field("") @Nullable Instant closedAt,

        @Field("") @Nullable String closedBy,

        @Field(value = "", longest = WorkLimits.LONGEST_TEXT) @Nullable
        String closeReason) {
    /** An item as lists show it. */
    record Summary(
            @WorkFields.Id String id,

            @Field("what to do") String title,

            @Field(value = "its status", longest = 20) WorkStatus status,

            @Field(value = "0 first, 4 last", max = 4) int priority,

            @Field("task, bug, ...") String type,

            @Field("its labels") List<String> labels,

            @Field("its queue") String queue,

            @Field("the item it is part of") @Nullable String parent,

            @Field("who should do it") @Nullable String assignee,

            @Field("who works on it") @Nullable String holder,

            @Field("what must be closed first") @Nullable List<String> blockedBy,

            @Field(value = "why it is blocked, if given; lists show its beginning", longest = WorkLimits.LONGEST_TEXT)
            @Nullable
            String blockedReason,

            @Field("do not start before") @Nullable Instant deferUntil,

            @Field("it failed too often and needs attention") @Nullable
            Boolean parked) {
        static Summary of(WorkItem item, Call call) {
            return ofSeen(item.seenBy(call.reach()::seesWork));
        }

        private static Summary ofSeen(WorkItem item) {
            Claim claim = item.claim();
            return new Summary(
                    item.id(),
                    item.title(),
                    item.status(),
                    item.priority(),
                    item.type(),
                    List.copyOf(new TreeSet<>(item.labels())),
                    item.queue(),
                    item.parent(),
                    item.assignee(),
                    claim == null ? null : claim.holder(),
                    Present.ifAny(item.blockedBy()),
                    item.blockedReason(),
                    item.deferUntil(),
                    Present.ifTrue(item.parked()));
        }
    }

    record ItemClaim(
            @Inline ClaimJson claim,
            @Field("its last heartbeat") @Nullable Instant lastBeatAt) {}

    record DependencyView(
            @Field("the other item") String dependsOn,

            @Field("blocks, parent-child, ...") String type,

            @Field("it must be closed first") boolean holds) {
        static DependencyView of(Dependency dependency) {
            return new DependencyView(dependency.dependsOn(), dependency.type(), dependency.holds());
        }
    }

    /** The item as its caller may see it. */
    static ItemJson of(WorkItem whole, Call call) {
        WorkItem item = whole.seenBy(call.reach()::seesWork);
        Claim claim = item.claim();
        String metadata = item.metadata();
        return new ItemJson(
                Summary.ofSeen(item),
                item.description(),
                item.externalRef(),
                metadata == null ? null : JsonMapper.shared().readTree(metadata),
                item.attempts(),
                claim == null ? null : new ItemClaim(ClaimJson.of(claim), claim.renewedAt()),
                item.note(),
                item.dependencies().stream().map(DependencyView::of).toList(),
                item.createdAt(),
                item.createdBy(),
                item.updatedAt(),
                item.closedAt(),
                item.closedBy(),
                item.closeReason());
    }
}
