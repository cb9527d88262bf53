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

/** Closes items: what waited for them is ready in the same transaction, and may be the closer's next. */
public final class ItemClosing {
    /**
     * What a close came to.
     *
     * @param replayed it had been closed so before by this very claim
     * @param next what was asked for next came to; null: nothing was asked for
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
     * @param fence of the claim; what nobody holds may be closed by a holder without one
     * @param next what the closer wants to do next; null: nothing
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

    /** Ends the claim, or takes the item from the backlog when nobody has it. True: this claim had ended so before. */
    private boolean end(ItemChanges.Locked locked, Fence fence, @Nullable String reason) throws SQLException {
        DomainEvent event =
                ItemChanges.event("work_closed", fence.holder(), reason == null ? Map.of() : Map.of("reason", reason));
        if (fence.generation() == null) {
            if (locked.standing().atWork() != null) {
                throw RefusedException.of(
                        new Refusal.FenceMissing(locked.standing().resource()));
            }
            if (locked.item().status == WorkStatus.CLOSED) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE, "work item " + locked.item().id + " is already closed");
            }
            changes.gate().retire(locked.transaction(), locked.item().resource(), "closed", event);
            return false;
        }
        Ending ending = Ending.completed("closed", Objects.requireNonNullElse(reason, ""));
        EndOutcome outcome = changes.gate().end(locked.transaction(), locked.standing(), fence, ending, event);
        return switch (outcome) {
            case EndOutcome.Ended ended -> ended.replayed();
            case Refusal.BadState ended -> throw RefusedException.of(ended);
            case Refusal refusal ->
                throw RefusedException.of(changes.gate()
                        .guard(locked.transaction(), locked.standing(), fence)
                        .orElse(refusal));
        };
    }

    /** The item is closed, whoever did it: everything that waited for it is looked at. */
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
