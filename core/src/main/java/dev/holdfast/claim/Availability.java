package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.event.Signals;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes things claimable: new ones, blocked ones, and those whose time has come. */
final class Availability {
    private final ClaimEvents events;
    private final Announcements announcements;
    private final Signals signals;

    Availability(ClaimEvents events, Announcements announcements, Signals signals) {
        this.events = events;
        this.announcements = announcements;
        this.signals = signals;
    }

    /** Makes a thing, or hands it to somebody who waits for it, in the same commit. False: it exists. */
    boolean create(Transaction transaction, NewResource made, @Nullable DomainEvent event) throws SQLException {
        ResourceRow row = ResourceRow.of(made);
        row.generation = made.resource().kind().freeStanding() ? ResourceTable.floor(transaction) : 0;
        long now = transaction.now();
        forgetWhatIsDue(row, now);
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
        if (!ResourceTable.insert(transaction, row)) {
            waiter.ifPresent(taken -> transaction.afterCommit(taken::putBack));
            return false;
        }
        events.created(transaction, row, event, now);
        if (waiter.isPresent()) {
            events.granted(transaction, row, null, now);
            transaction.afterCommit(() -> waiter.get().deliver(new Granted(row.claim(), null, null)));
        } else {
            transaction.afterCommit(() -> announcements.freed(row));
        }
        return true;
    }

    /** Lets a blocked thing be claimed; its failed attempts are forgiven. */
    boolean unblock(Transaction transaction, Resource resource) throws SQLException {
        return unblock(transaction, resource, true);
    }

    /** @param forgiven its failed attempts are forgotten; if not, what is parked for them stays so */
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
        forgetWhatIsDue(row, now);
        row.attempts = forgiven ? 0 : row.attempts;
        ResourceTable.update(transaction, row);
        events.unblocked(transaction, row, now);
        transaction.afterCommit(() -> announcements.freed(row));
        return true;
    }

    /** Nobody is to be given it: at once or, if it is held, as soon as it is let go. What is done stays done. */
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

    /** Not to be claimed before then (null: from now on); for a thing that nobody holds. */
    void putOff(Transaction transaction, ResourceRow row, @Nullable Long notBefore) throws SQLException {
        long now = transaction.now();
        row.notBefore = notBefore;
        forgetWhatIsDue(row, now);
        ResourceTable.update(transaction, row);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Claim-next is to choose by these from now on. */
    void sort(Transaction transaction, ResourceRow row, String queue, int priority, Set<String> labels)
            throws SQLException {
        row.queue = queue;
        row.priority = priority;
        row.labels = labels;
        ResourceTable.sort(transaction, row);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Makes a thing that nobody holds ready, as if it had just been made; its failed attempts are forgiven. */
    void reopen(Transaction transaction, Resource resource, boolean kept, DomainEvent event) throws SQLException {
        Optional<ResourceRow> locked = ResourceTable.lock(transaction, resource.toString());
        if (locked.isEmpty() || locked.get().held()) {
            throw new IllegalStateException(resource + " is held or missing and cannot be reopened");
        }
        ResourceRow row = locked.get();
        long now = transaction.now();
        row.state = State.READY;
        row.readySince = now;
        forgetWhatIsDue(row, now);
        row.attempts = 0;
        row.kept = kept;
        ResourceTable.update(transaction, row);
        events.append(transaction, row, now, row.generation, event);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** A time that has passed puts nothing off; the ready index has only what is due. */
    private static void forgetWhatIsDue(ResourceRow row, long now) {
        if (row.notBefore != null && row.notBefore <= now) {
            row.notBefore = null;
        }
    }

    /** Puts what has come due into the ready index, and notifies the other brokers, whose agents may wait for it. */
    void makeDue(Transaction transaction, long now) throws SQLException {
        tellDue(transaction, ResourceTable.makeDue(transaction, now), now);
    }

    /** As {@link #makeDue(Transaction, long)}, one of them; false when it is not due. */
    boolean makeDue(Transaction transaction, String key, long now) throws SQLException {
        List<ResourceRow> due = ResourceTable.makeDue(transaction, key, now);
        tellDue(transaction, due, now);
        return !due.isEmpty();
    }

    private void tellDue(Transaction transaction, List<ResourceRow> due, long now) throws SQLException {
        for (ResourceRow row : due) {
            events.due(transaction, row, now);
        }
        transaction.afterCommit(() -> due.forEach(announcements::freed));
    }
}
