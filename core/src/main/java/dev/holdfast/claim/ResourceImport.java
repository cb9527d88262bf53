package dev.holdfast.claim;

import dev.holdfast.store.BusyException;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Imports resources from another broker together with their claims. A generation is never lowered, and every held
 * resource gets an expiry.
 */
final class ResourceImport {
    private final ClaimEvents events;
    private final Announcements announcements;

    ResourceImport(ClaimEvents events, Announcements announcements) {
        this.events = events;
        this.announcements = announcements;
    }

    /** Returns the resource's generation in this store. */
    long adopt(Transaction transaction, ImportedResource adopted, long lease, DomainEvent event) throws SQLException {
        Resource resource = adopted.made().resource();
        Optional<ResourceRow> known = ResourceTable.lock(transaction, resource.toString());
        long now = transaction.now();
        ResourceRow row = known.orElseGet(() -> ResourceRow.of(adopted.made()));
        put(row, adopted, lease, now);
        if (known.isPresent()) {
            row.queue = adopted.made().queue();
            ResourceTable.sort(transaction, row);
            ResourceTable.update(transaction, row);
        } else if (!ResourceTable.insert(transaction, row)) {
            throw new BusyException("someone else is taking over " + resource + "; try again");
        }
        events.append(transaction, row, now, row.generation, event);
        transaction.afterCommit(() -> announcements.freed(row));
        return row.generation;
    }

    private static void put(ResourceRow row, ImportedResource adopted, long lease, long now) {
        String holder = adopted.holder();
        if (holder == null) {
            row.generation = Math.max(row.generation, adopted.generation());
            Rules.setFree(row, adopted.done() ? State.DONE : State.READY, now);
            return;
        }
        if (holder.equals(row.holder) && row.generation >= adopted.generation()) {
            return; // the same grant, whose lease may have been renewed here
        }
        long since = Math.min(now, LeaseClock.micros(adopted.since()));
        row.generation = Math.max(row.generation + 1, adopted.generation());
        row.state = State.HELD;
        row.holder = holder;
        row.acquiredAt = since;
        row.renewedAt = since;
        row.expiresAt = since + lease;
        row.lease = lease;
        row.confirmed = true;
        row.requestId = null;
        row.readySince = null;
    }
}
