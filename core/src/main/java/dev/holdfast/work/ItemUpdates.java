package dev.holdfast.work;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes items. While an item is held, only its holder may change it, with its fence. A caller with a fence that is
 * not current has lost the claim and gets an error, even if nobody holds the item.
 */
public final class ItemUpdates {
    private final ItemChanges changes;

    ItemUpdates(ItemChanges changes) {
        this.changes = changes;
    }

    /** @throws RefusedException if the fence is not that of the current claim; nothing has changed then */
    public WorkItem update(String id, Fence fence, WorkChange change) {
        refuseStatus(change.status);
        return changes.on(id, locked -> {
            if (fence.generation() != null) {
                Optional<Refusal> refusal =
                        changes.transactional().guard(locked.transaction(), locked.claimState(), fence);
                if (refusal.isPresent()) {
                    throw RefusedException.of(refusal.get());
                }
            } else if (locked.claimState().atWork() != null) {
                throw RefusedException.of(
                        new Refusal.FenceMissing(locked.claimState().resource()));
            }
            make(locked, fence, change);
            return locked.shown();
        });
    }

    private static void refuseStatus(@Nullable WorkStatus status) {
        if (status == WorkStatus.IN_PROGRESS) {
            throw new InvalidException(
                    "status cannot be set to in_progress; claim the item instead with claim_work (it is in_progress while you hold it)");
        }
        if (status == WorkStatus.CLOSED) {
            throw new InvalidException(
                    "close the item with close_work, which presents your claim and unblocks what waits for it");
        }
    }

    private void make(ItemChanges.Locked locked, Fence fence, WorkChange change) throws SQLException {
        ItemRow item = locked.item();
        Transaction transaction = locked.transaction();
        List<String> changed = fields(item, change);
        if (change.note != null) {
            changes.transactional().note(transaction, item.resource(), change.note);
            changed.add("note");
        }
        if (changed.contains("queue")
                || changed.contains("priority")
                || changed.contains("labels")
                || changed.contains("type")) {
            changes.transactional().sort(transaction, item.resource(), item.queue, item.priority, item.marks());
        }
        String actor = fence.holder() == null ? change.actor : fence.holder();
        if (change.status == null) {
            locked.save();
            DomainEvent event = ItemChanges.event("work_updated", actor, Map.of("changed", changed));
            changes.transactional()
                    .appendEvent(
                            transaction, item.resource(), locked.claimState().generation(), event);
            return;
        }
        changed.add("status");
        DomainEvent event = ItemChanges.event(
                "work_updated", actor, Map.of("changed", changed, "status", change.status.toString()));
        giveUp(locked, fence, change, event);
        setStatus(locked, change.status, change.reason, change.deferUntil, event);
    }

    /** Setting another status releases the item. */
    private void giveUp(ItemChanges.Locked locked, Fence fence, WorkChange change, DomainEvent event)
            throws SQLException {
        if (locked.claimState().atWork() == null) {
            return;
        }
        // note and order may just have changed, so the locked state is out of date
        LockedClaim asItIsNow = changes.transactional()
                .lock(locked.transaction(), locked.item().resource())
                .orElseThrow();
        if (changes.transactional().end(locked.transaction(), asItIsNow, fence, Ending.released(change.note), event)
                instanceof Refusal refusal) {
            throw RefusedException.of(refusal);
        }
    }

    /** Sets the status of an item that nobody holds, and updates its resource and its dependents. */
    public void setStatus(
            ItemChanges.Locked locked,
            WorkStatus status,
            @Nullable String reason,
            @Nullable Instant deferUntil,
            DomainEvent event)
            throws SQLException {
        ItemRow item = locked.item();
        Transaction transaction = locked.transaction();
        item.status = status;
        item.blockedReason = status == WorkStatus.BLOCKED ? reason : null;
        item.deferUntil = status == WorkStatus.DEFERRED && deferUntil != null
                ? Long.valueOf(LeaseClock.micros(deferUntil))
                : null;
        item.closedAt = null;
        item.closedBy = null;
        item.closeReason = null;
        locked.save();
        changes.transactional().reopen(transaction, item.resource(), false, event);
        changes.transactional().postpone(transaction, item.resource(), ItemTable.instant(item.deferUntil));
        if (item.barred()) {
            changes.transactional().block(transaction, item.resource());
        }
        changes.readiness().follow(transaction, item);
    }

    /** Returns the names of the fields that changed. */
    private static List<String> fields(ItemRow item, WorkChange change) {
        List<String> changed = new ArrayList<>();
        if (change.title != null && !change.title.equals(item.title)) {
            item.title = change.title;
            changed.add("title");
        }
        if (change.priority != null && change.priority != item.priority) {
            item.priority = change.priority;
            changed.add("priority");
        }
        if (change.type != null && !change.type.equals(item.type)) {
            item.type = change.type;
            changed.add("type");
        }
        if (change.labels != null && !change.labels.equals(item.labels)) {
            item.labels = change.labels;
            changed.add("labels");
        }
        if (change.queue != null && !change.queue.equals(item.queue)) {
            item.queue = change.queue;
            changed.add("queue");
        }
        item.description = text("description", item.description, change.description, changed);
        item.assignee = text("assignee", item.assignee, change.assignee, changed);
        item.externalRef = text("external_ref", item.externalRef, change.externalRef, changed);
        item.metadata = text("metadata", item.metadata, change.metadata, changed);
        return changed;
    }

    /** An empty text removes the value. */
    private static @Nullable String text(
            String name, @Nullable String before, @Nullable String given, List<String> changed) {
        if (given == null) {
            return before;
        }
        String after = given.isEmpty() ? null : given;
        if (!Objects.equals(before, after)) {
            changed.add(name);
        }
        return after;
    }
}
