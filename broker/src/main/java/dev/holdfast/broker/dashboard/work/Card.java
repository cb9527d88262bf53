package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One item on the board or in the list.
 *
 * @param failed parked because it failed too often
 * @param hold who has it; null: nobody
 */
public record Card(
        String id,
        String title,
        int priority,
        String queue,
        WorkStatus status,
        boolean parked,
        boolean failed,
        @Nullable Why why,
        @Nullable Hold hold,
        When updated) {
    /** @param beat when the holder last renewed the claim */
    public record Hold(Actor actor, long generation, When beat, Lease lease) {
        public static @Nullable Hold of(@Nullable Claim claim, Instant now) {
            return claim == null
                    ? null
                    : new Hold(
                            new Actor(claim.holder()),
                            claim.generation(),
                            new When(claim.renewedAt(), now),
                            Lease.of(claim, now));
        }
    }

    static Card of(WorkItem item, Map<String, WorkItem> others, Instant now) {
        return new Card(
                item.id(),
                item.title(),
                item.priority(),
                item.queue(),
                item.status(),
                parked(item),
                item.parked(),
                Why.of(item, others, now),
                Hold.of(item.claim(), now),
                new When(item.updatedAt(), now));
    }

    /** Set aside by somebody, or after too many failures, until somebody unparks it. Others are blocked: they wait. */
    public static boolean parked(WorkItem item) {
        return item.status() == WorkStatus.BLOCKED && (item.parked() || item.stated() == WorkStatus.BLOCKED);
    }

    public String path() {
        return Address.work(id);
    }

    public String icon() {
        return icon(status, parked);
    }

    public String look() {
        return look(status, failed);
    }

    static String icon(WorkStatus status, boolean parked) {
        return switch (status) {
            case OPEN -> "s-ready";
            case IN_PROGRESS -> "s-claimed";
            case BLOCKED -> parked ? "park" : "s-blocked";
            case DEFERRED -> "s-deferred";
            case CLOSED -> "s-closed";
        };
    }

    static String look(WorkStatus status, boolean failed) {
        return switch (status) {
            case OPEN, DEFERRED -> "dim";
            case IN_PROGRESS -> "sea";
            case BLOCKED -> failed ? "port" : "brass";
            case CLOSED -> "ok";
        };
    }

    /** The status, as people say it. */
    public String word() {
        return word(status, parked);
    }

    static String word(WorkStatus status, boolean parked) {
        return switch (status) {
            case OPEN -> "ready";
            case IN_PROGRESS -> "in progress";
            case BLOCKED -> parked ? "parked" : "blocked";
            case DEFERRED -> "deferred";
            case CLOSED -> "closed";
        };
    }
}
