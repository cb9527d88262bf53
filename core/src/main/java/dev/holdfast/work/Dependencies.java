package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dependencies between items. Cycles are refused: nobody could ever start. */
public final class Dependencies {
    private final ItemChanges changes;

    Dependencies(ItemChanges changes) {
        this.changes = changes;
    }

    /** Makes the item depend on the other; does nothing if it already does. */
    public WorkItem add(String id, String dependsOn, String type, @Nullable String actor) {
        if (!Dependency.TYPES.contains(type)) {
            throw new InvalidException(
                    "type must be one of " + String.join(", ", Dependency.TYPES) + ", not '" + type + "'");
        }
        if (id.equals(dependsOn)) {
            throw new InvalidException("work item " + id + " cannot depend on itself");
        }
        return inBoth(id, dependsOn, (transaction, item, other) -> {
            if (DependencyTable.find(transaction, id, dependsOn, type).isEmpty()) {
                if (Dependency.orders(type) && DependencyTable.comesBefore(transaction, id, dependsOn)) {
                    throw circle(id, dependsOn);
                }
                if (type.equals(Dependency.PARENT_CHILD)) {
                    refuseSecondParent(transaction, id);
                }
                add(transaction, item, dependsOn, other, type, Dependency.orders(type), transaction.now(), actor);
                appendEvent(transaction, item, "dependency_added", dependsOn, type, actor);
            }
            return ItemTable.show(transaction, id).orElseThrow();
        });
    }

    /** @throws RefusedException if there is no such dependency */
    public WorkItem remove(String id, String dependsOn, @Nullable String type, @Nullable String actor) {
        return changes.on(id, locked -> {
            Transaction transaction = locked.transaction();
            boolean found = false;
            for (Dependency dependency : DependencyTable.of(transaction, id)) {
                if (dependency.dependsOn().equals(dependsOn) && (type == null || type.equals(dependency.type()))) {
                    found = true;
                    remove(transaction, locked.item(), dependency);
                    appendEvent(transaction, locked.item(), "dependency_removed", dependsOn, dependency.type(), actor);
                }
            }
            if (!found) {
                throw new RefusedException(
                        RefusalCode.NOT_FOUND, "work item " + id + " does not depend on " + dependsOn);
            }
            locked.save();
            return locked.shown();
        });
    }

    /**
     * Adds a dependency to a locked item.
     *
     * @param other what it depends on, locked; null if it does not exist here (yet)
     * @param orders false if it would close a cycle and is only recorded
     */
    public void add(
            Transaction transaction,
            ItemRow item,
            String dependsOn,
            @Nullable ItemRow other,
            String type,
            boolean orders,
            long at,
            @Nullable String by)
            throws SQLException {
        boolean holds = orders && other != null && Dependency.holds(type, other);
        DependencyTable.insert(transaction, new Dependency(item.id, dependsOn, type, holds), orders, at, by);
        count(transaction, item, holds ? 1 : 0);
    }

    public void remove(Transaction transaction, ItemRow item, Dependency dependency) throws SQLException {
        DependencyTable.delete(transaction, dependency);
        count(transaction, item, dependency.holds() ? -1 : 0);
    }

    private void count(Transaction transaction, ItemRow item, int more) throws SQLException {
        boolean before = item.barred();
        item.waitsFor += more;
        ItemTable.update(transaction, item);
        if (changes.readiness().settle(transaction, item, before)) {
            changes.readiness().follow(transaction, item);
        }
    }

    private interface Between<T> {
        T make(Transaction transaction, ItemRow item, ItemRow other) throws SQLException;
    }

    /** Locks the prerequisite first, as everywhere. */
    private <T> T inBoth(String id, String dependsOn, Between<T> change) {
        for (String named : new String[] {id, dependsOn}) {
            if (!WorkLimits.couldBe(named)) {
                throw ItemChanges.notFound(named);
            }
        }
        return changes.store().write(transaction -> {
            DependencyTable.lockGraph(transaction);
            ItemRow other = changes.lock(transaction, dependsOn).item();
            ItemRow item = changes.lock(transaction, id).item();
            return change.make(transaction, item, other);
        });
    }

    private static void refuseSecondParent(Transaction transaction, String id) throws SQLException {
        Optional<Dependency> parent = DependencyTable.of(transaction, id).stream()
                .filter(dependency -> dependency.type().equals(Dependency.PARENT_CHILD))
                .findFirst();
        if (parent.isPresent()) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "work item " + id + " is already a part of " + parent.get().dependsOn()
                            + "; remove that dependency first");
        }
    }

    static RefusedException circle(String id, String dependsOn) {
        return new RefusedException(
                RefusalCode.BAD_STATE,
                "work item " + id + " cannot depend on " + dependsOn + ": " + dependsOn
                        + " already depends on it, so neither could ever start");
    }

    private void appendEvent(
            Transaction transaction, ItemRow item, String event, String dependsOn, String type, @Nullable String actor)
            throws SQLException {
        changes.transactional()
                .appendEvent(
                        transaction,
                        item.resource(),
                        null,
                        ItemChanges.event(event, actor, Map.of("depends_on", dependsOn, "dependency_type", type)));
    }
}
