package dev.holdfast.work;

import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Keeps the resource rows of items as their dependencies want them, in the transaction that changes what they depend on:
 * whoever looks for something to do need not look at dependencies at all.
 *
 * <p>Rows are locked along the dependencies, what comes first before what depends on it. There are no circles, so that
 * nobody waits for somebody who waits for him.
 */
public final class Readiness {
    private final TransactionalClaims gate;

    Readiness(TransactionalClaims gate) {
        this.gate = gate;
    }

    /** This item was made, closed, opened again, barred or not barred any more: looks at all that depend on it. */
    public void follow(Transaction transaction, ItemRow changed) throws SQLException {
        Deque<ItemRow> next = new ArrayDeque<>();
        next.add(changed);
        while (!next.isEmpty()) {
            ItemRow first = next.remove();
            for (Dependency dependency : DependencyTable.on(transaction, first.id)) {
                boolean holds = Dependency.holds(dependency.type(), first);
                if (holds != dependency.holds()) {
                    Optional<ItemRow> barred = turn(transaction, dependency, holds);
                    barred.ifPresent(next::add);
                }
            }
        }
    }

    /** One thing more or less holds the item back. Returns it if it is barred by that, or not any more. */
    private Optional<ItemRow> turn(Transaction transaction, Dependency dependency, boolean holds) throws SQLException {
        // first, for whoever takes the dependency away has it locked; what is gone then was counted by that one
        gate.lock(transaction, WorkItem.resource(dependency.item()));
        Optional<ItemRow> found = ItemTable.find(transaction, dependency.item());
        if (found.isEmpty() || !DependencyTable.hold(transaction, dependency, holds)) {
            return Optional.empty();
        }
        ItemRow row = found.get();
        boolean before = row.barred();
        row.waitsFor += holds ? 1 : -1;
        ItemTable.update(transaction, row);
        return settle(transaction, row, before) ? found : Optional.empty();
    }

    /** Blocks or unblocks the resource if the item has become barred or free of it; true when it has. */
    public boolean settle(Transaction transaction, ItemRow row, boolean before) throws SQLException {
        boolean barred = row.barred();
        if (barred == before) {
            return false;
        }
        if (barred) {
            gate.block(transaction, row.resource());
        } else {
            gate.unblock(transaction, row.resource(), false);
        }
        return true;
    }
}
