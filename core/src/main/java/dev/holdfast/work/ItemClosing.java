package dev.holdfast.work;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Closes items: what waited for them becomes ready in the same transaction, and may be the closer's next. */
public final class ItemClosing {
    /**
     * The result of closing an item.
     *
     * @param replayed this same claim had already closed it this way
     * @param next the outcome of claiming the next item; null if that was not asked for
     */
    public record Closed(
            WorkItem item, boolean replayed, @Nullable ClaimOutcome next) {}

    private final ItemChanges changes;
    private final WorkClaims claiming;

    ItemClosing(ItemChanges changes, WorkClaims claiming) {
        this.changes = changes;
        this.claiming = claiming;
    }

    /**
     * @param fence of the claim; an item that nobody holds may be closed without a generation
     * @param next what the closer wants to claim next; null: nothing
     */
    public Closed close(String id, Fence fence, @Nullable String reason, @Nullable NextRequest next) {
        String why = WorkLimits.text("reason", reason);
        return changes.on(id, locked -> {
            boolean replayed = end(locked, fence, why);
            if (!replayed) {
                finish(locked, fence.holder(), why);
            }
            ClaimOutcome outcome = next == null ? null : claiming.nextIn(locked.transaction(), next);
            return new Closed(locked.shown(), replayed, outcome);
        });
    }

    /**
     * Ends the claim, or retires the item if nobody holds it. Returns true if this claim had already ended this way.
     */
    private boolean end(ItemChanges.Locked locked, Fence fence, @Nullable String reason) throws SQLException {
        DomainEvent event =
                ItemChanges.event("work_closed", fence.holder(), reason == null ? Map.of() : Map.of("reason", reason));
        if (fence.generation() == null) {
            if (locked.claimState().atWork() != null) {
                throw RefusedException.of(
                        new Refusal.FenceMissing(locked.claimState().resource()));
            }
            if (locked.item().status == WorkStatus.CLOSED) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE, "work item " + locked.item().id + " is already closed");
            }
            changes.transactional().retire(locked.transaction(), locked.item().resource(), "closed", event);
            return false;
        }
        Ending ending = Ending.completed("closed", Objects.requireNonNullElse(reason, ""));
        EndOutcome outcome =
                changes.transactional().end(locked.transaction(), locked.claimState(), fence, ending, event);
        return switch (outcome) {
            case EndOutcome.Ended ended -> ended.replayed();
            case Refusal.BadState ended -> throw RefusedException.of(ended);
            case Refusal refusal ->
                throw RefusedException.of(changes.transactional()
                        .guard(locked.transaction(), locked.claimState(), fence)
                        .orElse(refusal));
        };
    }

    /** Records that the item is closed, whoever did it, and updates everything that waited for it. */
    public void finish(ItemChanges.Locked locked, @Nullable String by, @Nullable String reason) throws SQLException {
        ItemRow item = locked.item();
        item.status = WorkStatus.CLOSED;
        item.closedAt = locked.now();
        item.closedBy = by;
        item.closeReason = reason;
        item.blockedReason = null;
        item.deferUntil = null;
        item.importing = false;
        locked.save();
        Transaction transaction = locked.transaction();
        changes.readiness().follow(transaction, item);
    }
}
