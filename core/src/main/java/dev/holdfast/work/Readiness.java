package dev.holdfast.work;

import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Keeps items' resource rows consistent with their dependencies, in the transaction that changes what they depend on,
 * so that claim-next need not look at dependencies at all.
 *
 * <p>Rows are locked along the dependencies, prerequisites before dependents. There are no cycles, so this cannot
 * deadlock.
 */
public final class Readiness {
    private final TransactionalClaims transactional;

    Readiness(TransactionalClaims transactional) {
        this.transactional = transactional;
    }

    /**
     * Call this when an item was created, closed, reopened, barred or unbarred: updates everything that depends on it.
     */
    public void follow(Transaction transaction, ItemRow changed) throws SQLException {
        follow(transaction, changed, DependencyTable.on(transaction, changed.id));
    }

    /** @param on the dependencies that have the changed item as the prerequisite */
    void follow(Transaction transaction, ItemRow changed, List<Dependency> on) throws SQLException {
        Deque<ItemRow> next = new ArrayDeque<>();
        next.add(changed);
        while (!next.isEmpty()) {
            ItemRow first = next.remove();
            List<Dependency> dependents = first.equals(changed) ? on : DependencyTable.on(transaction, first.id);
            for (Dependency dependency : dependents) {
                boolean holds = Dependency.holds(dependency.type(), first);
                if (holds != dependency.holds()) {
                    Optional<ItemRow> barred = turn(transaction, dependency, holds);
                    barred.ifPresent(next::add);
                }
            }
        }
    }

    /**
     * Counts one more or one fewer prerequisite that holds the item back. Returns the item if that made it barred or
     * unbarred.
     */
    private Optional<ItemRow> turn(Transaction transaction, Dependency dependency, boolean holds) throws SQLException {
        // first: whoever removes the dependency holds this lock; if it is gone then, they have already counted it
        transactional.lock(transaction, WorkItem.resource(dependency.item()));
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

    /** Blocks or unblocks the resource if the item has become barred or unbarred; returns whether it has. */
    public boolean settle(Transaction transaction, ItemRow row, boolean before) throws SQLException {
        boolean barred = row.barred();
        if (barred == before) {
            return false;
        }
        if (barred) {
            transactional.block(transaction, row.resource());
        } else {
            transactional.unblock(transaction, row.resource(), false);
        }
        return true;
    }
}
