package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.event.Signals;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes resources claimable: new ones, blocked ones, and postponed ones that have come due. */
final class Availability {
    private final ClaimEvents events;
    private final Announcements announcements;
    private final Signals signals;

    Availability(ClaimEvents events, Announcements announcements, Signals signals) {
        this.events = events;
        this.announcements = announcements;
        this.signals = signals;
    }

    /**
     * Creates a resource or, in the same commit, grants it to somebody waiting for it. The answer is false if it
     * already exists; on PostgreSQL, a transaction that ends with this commits in the same round trip.
     */
    Pending<Boolean> askCreate(Transaction transaction, NewResource made, @Nullable DomainEvent event)
            throws SQLException {
        boolean atOnce = transaction.engine() == Engine.POSTGRES && CreateStatement.fits(made);
        ResourceRow row = ResourceRow.of(made);
        row.generation = made.resource().kind().freeStanding() ? ResourceTable.floor(transaction) : 0;
        long now = atOnce ? 0 : transaction.now(); // the statement that creates it at once adds the time
        clearIfDue(row, now);
        row.readySince = row.state == State.READY ? Long.valueOf(now) : null;
        Optional<Signals.Waiter> waiter = row.offered()
                ? signals.take(Announcements.topic(made.resource().kind()), new NextAttempt.Handed(Item.of(row)))
                : Optional.empty();
        if (waiter.isPresent()) {
            transaction.afterRollback(waiter.get()::putBack);
            NextAttempt attempt = (NextAttempt) waiter.get().attempt();
            Rules.grant(
                    row,
                    attempt.asked().holder(),
                    attempt.lease(),
                    attempt.requestId(),
                    transaction.leastGeneration(),
                    now);
        }
        DomainEvent created = event == null ? new DomainEvent("created", null, Map.of()) : event;
        Consumer<Boolean> then = inserted -> handOver(transaction, row, waiter, inserted);
        if (atOnce) {
            return events.askCreate(transaction, row, created, then);
        }
        boolean inserted = insert(transaction, row, created, now);
        then.accept(inserted);
        return () -> inserted;
    }

    /** Once committed, the waiter has the resource or, if it was not created, goes on waiting. */
    private void handOver(Transaction transaction, ResourceRow row, Optional<Signals.Waiter> waiter, boolean inserted) {
        if (waiter.isPresent()) {
            transaction.afterCommit(
                    inserted
                            ? () -> waiter.get().deliver(new Granted(row.claim(), null, null))
                            : waiter.get()::putBack);
        } else if (inserted) {
            transaction.afterCommit(() -> announcements.freed(row));
        }
    }

    private boolean insert(Transaction transaction, ResourceRow row, DomainEvent event, long now) throws SQLException {
        if (!ResourceTable.insert(transaction, row)) {
            return false;
        }
        events.created(transaction, row, event, now);
        if (row.held()) {
            events.granted(transaction, row, null, now);
        }
        return true;
    }

    /** Makes a blocked resource claimable again and resets its failed attempts. */
    boolean unblock(Transaction transaction, Resource resource) throws SQLException {
        return unblock(transaction, resource, true);
    }

    /** @param forgiven reset the failed attempts; otherwise a resource that they parked stays parked */
    boolean unblock(Transaction transaction, Resource resource, boolean forgiven) throws SQLException {
        Optional<ResourceRow> locked = ResourceTable.lock(transaction, resource.toString());
        if (locked.isEmpty()) {
            return false;
        }
        ResourceRow row = locked.get();
        if (row.barred) {
            row.barred = false;
            ResourceTable.update(transaction, row);
            return false;
        }
        if (row.state != State.BLOCKED || (!forgiven && row.parked())) {
            return false;
        }
        long now = transaction.now();
        row.state = State.READY;
        row.readySince = now;
        clearIfDue(row, now);
        row.attempts = forgiven ? 0 : row.attempts;
        ResourceTable.update(transaction, row);
        events.unblocked(transaction, row, now);
        transaction.afterCommit(() -> announcements.freed(row));
        return true;
    }

    /**
     * Stops the resource from being claimed: at once or, if it is held, once it is released. A resource that is done
     * stays done.
     */
    void block(Transaction transaction, Resource resource) throws SQLException {
        Optional<ResourceRow> locked = ResourceTable.lock(transaction, resource.toString());
        if (locked.isEmpty()) {
            return;
        }
        ResourceRow row = locked.get();
        switch (row.state) {
            case HELD -> {
                row.barred = true;
                ResourceTable.update(transaction, row);
            }
            case READY -> {
                row.state = State.BLOCKED;
                row.readySince = null;
                ResourceTable.update(transaction, row);
                events.blocked(transaction, row, transaction.now());
            }
            case BLOCKED, DONE -> {}
        }
    }

    /** Postpones a resource that nobody holds until this time (null: claimable now). */
    void postpone(Transaction transaction, ResourceRow row, @Nullable Long notBefore) throws SQLException {
        long now = transaction.now();
        row.notBefore = notBefore;
        clearIfDue(row, now);
        ResourceTable.update(transaction, row);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Changes what claim-next chooses by. */
    void sort(Transaction transaction, ResourceRow row, String queue, int priority, Set<String> labels)
            throws SQLException {
        row.queue = queue;
        row.priority = priority;
        row.labels = labels;
        ResourceTable.sort(transaction, row);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Makes a resource that nobody holds ready, as if it were new; its failed attempts are reset. */
    void reopen(Transaction transaction, Resource resource, boolean kept, DomainEvent event) throws SQLException {
        Optional<ResourceRow> locked = ResourceTable.lock(transaction, resource.toString());
        if (locked.isEmpty() || locked.get().held()) {
            throw new IllegalStateException(resource + " is held or missing and cannot be reopened");
        }
        ResourceRow row = locked.get();
        long now = transaction.now();
        row.state = State.READY;
        row.readySince = now;
        clearIfDue(row, now);
        row.attempts = 0;
        row.kept = kept;
        ResourceTable.update(transaction, row);
        events.append(transaction, row, now, row.generation, event);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** A time in the past does not postpone anything; the ready index requires null for whatever is due. */
    private static void clearIfDue(ResourceRow row, long now) {
        if (row.notBefore != null && row.notBefore <= now) {
            row.notBefore = null;
        }
    }

    /**
     * Moves resources that have come due into the ready index, and notifies the other brokers, whose agents may be
     * waiting for them.
     */
    void makeDue(Transaction transaction, long now) throws SQLException {
        appendDueEvents(transaction, ResourceTable.makeDue(transaction, now), now);
    }

    /** As {@link #makeDue(Transaction, long)}, for one resource; returns false if it is not due. */
    boolean makeDue(Transaction transaction, String key, long now) throws SQLException {
        List<ResourceRow> due = ResourceTable.makeDue(transaction, key, now);
        appendDueEvents(transaction, due, now);
        return !due.isEmpty();
    }

    private void appendDueEvents(Transaction transaction, List<ResourceRow> due, long now) throws SQLException {
        for (ResourceRow row : due) {
            events.due(transaction, row, now);
        }
        transaction.afterCommit(() -> due.forEach(announcements::freed));
    }
}
