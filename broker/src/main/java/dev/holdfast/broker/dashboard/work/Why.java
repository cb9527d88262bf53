package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.part.OneLine;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.work.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an item is in its state, in one sentence.
 *
 * @param look the colour that says whether somebody has to act
 */
public record Why(String icon, String look, String text) {
    private static final int NAMED = 2;
    private static final int LONGEST = 240;

    /** @param others the items that it may wait for, by id */
    static @Nullable Why of(WorkItem item, Map<String, WorkItem> others, Instant now) {
        return switch (item.status()) {
            case OPEN -> item.note() == null ? null : note(item.note());
            case IN_PROGRESS -> inProgress(item);
            case CLOSED -> closed(item, now);
            case DEFERRED -> new Why("clock", "", deferred(item, now));
            case BLOCKED -> blocked(item, others);
        };
    }

    private static @Nullable Why inProgress(WorkItem item) {
        if (item.claim() == null) {
            return new Why("alert", "brass", "Started, but nobody holds it");
        }
        return item.note() == null ? null : note(item.note());
    }

    private static Why note(String note) {
        return new Why("msg", "", "Note: " + OneLine.of(note, LONGEST));
    }

    private static Why closed(WorkItem item, Instant now) {
        String by = item.closedBy() == null ? "Closed" : item.closedBy();
        String when = item.closedAt() == null ? "" : ", " + When.in(Duration.between(item.closedAt(), now)) + " ago";
        return new Why(
                "check",
                "ok",
                by + when + (item.closeReason() == null ? "" : ": " + OneLine.of(item.closeReason(), LONGEST)));
    }

    private static String deferred(WorkItem item, Instant now) {
        Instant until = item.deferUntil();
        return until == null
                ? "Deferred until someone reopens it"
                : "Deferred for another " + When.in(Duration.between(now, until));
    }

    private static Why blocked(WorkItem item, Map<String, WorkItem> others) {
        String reason = item.blockedReason();
        if (item.parked()) {
            return new Why("park", "port", sentence(OneLine.of(reason == null ? "parked" : reason, LONGEST)));
        }
        if (Card.parked(item)) {
            return new Why(
                    "park",
                    "brass",
                    reason == null ? "Parked without a reason" : "Parked: " + OneLine.of(reason, LONGEST));
        }
        if (reason != null) {
            return new Why("lock", "brass", "Blocked: " + OneLine.of(reason, LONGEST));
        }
        List<String> waits = item.blockedBy();
        if (waits.isEmpty()) {
            return new Why("lock", "brass", "Blocked without a reason");
        }
        return new Why("link", "", waitsFor(waits, others));
    }

    private static String waitsFor(List<String> waits, Map<String, WorkItem> others) {
        if (waits.size() == 1) {
            WorkItem other = others.get(waits.getFirst());
            String held = other == null || other.claim() == null
                    ? ""
                    : ", held by " + other.claim().holder();
            return "Waits for " + waits.getFirst() + held;
        }
        String named = String.join(waits.size() == NAMED ? " and " : ", ", waits.subList(0, NAMED));
        return "Waits for " + named + (waits.size() > NAMED ? " and " + (waits.size() - NAMED) + " more" : "");
    }

    private static String sentence(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
