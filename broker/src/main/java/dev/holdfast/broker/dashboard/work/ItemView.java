package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.TakeBack;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One item in full. */
public record ItemView(
        WorkItem item,
        Card card,
        List<Card> waitsFor,
        List<Card> waiting,
        @Nullable EpicGraph graph,
        List<Happened> history) {
    /** Something that happened to it. */
    public record Happened(When when, @Nullable Actor actor, String icon, String look, String did, String say) {}

    public boolean held() {
        return card.hold() != null;
    }

    public boolean closed() {
        return item.closedAt() != null;
    }

    /** Stopped by somebody or by too many failures; a person can open it again. */
    public boolean stopped() {
        return !held()
                && !closed()
                && (item.parked()
                        || item.blockedReason() != null
                        || item.deferUntil() != null
                        || item.stated() == WorkStatus.DEFERRED);
    }

    /** What opening it again is called; people park items, and the broker or an agent defers them. */
    public String opening() {
        return card.parked() ? "Unpark" : "Reopen";
    }

    public boolean ready() {
        return item.status() == WorkStatus.OPEN;
    }

    /** How many items must be closed before it can start. */
    public long open() {
        return closed()
                ? 0
                : waitsFor.stream()
                        .filter(other -> other.status() != WorkStatus.CLOSED)
                        .count();
    }

    public String labels() {
        return String.join(", ", item.labels());
    }

    /** The values for the dialog that takes it back. */
    public String fill() {
        Card.Hold hold = card.hold();
        return hold == null
                ? "{}"
                : TakeBack.fill(item.resource().toString(), hold.actor().name(), hold.generation());
    }
}
