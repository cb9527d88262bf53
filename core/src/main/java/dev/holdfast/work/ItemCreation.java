package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Transaction;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Creates items and their ids: {@code hf-} and as much of a hash as is needed to be unique; for a part, its parent's id
 * and a number.
 */
public final class ItemCreation {
    private static final int SHORTEST_HASH = 4;

    private final ItemChanges changes;
    private final int maxAttempts;

    ItemCreation(ItemChanges changes, int maxAttempts) {
        this.changes = changes;
        this.maxAttempts = maxAttempts;
    }

    /** @throws RefusedException if the id is taken, or something that it names does not exist */
    public WorkItem create(NewWork made) {
        String call = changes.ids().get();
        AtomicReference<@Nullable String> chosen = new AtomicReference<>();
        return changes.store().write(transaction -> {
            String before = chosen.get();
            if (before != null && isOf(transaction, before, call)) {
                return ItemTable.show(transaction, before).orElseThrow();
            }
            ItemRow row = insert(transaction, made, call);
            chosen.set(row.id);
            // in one round trip; those that depend on it change nothing about the item itself
            Pending<List<Dependency>> dependents = DependencyTable.askOn(transaction, row.id);
            WorkItem item = ItemTable.show(transaction, row.id).orElseThrow();
            changes.readiness().follow(transaction, row, dependents.get());
            return item;
        });
    }

    private static boolean isOf(Transaction transaction, String id, String call) throws SQLException {
        return ItemTable.find(transaction, id)
                .filter(row -> row.lastCall.equals(call))
                .isPresent();
    }

    private ItemRow insert(Transaction transaction, NewWork made, String call) throws SQLException {
        if (made.id != null) {
            DependencyTable.lockGraph(transaction); // somebody may just be adding a dependency on this same id
        }
        List<Dependency> dependencies = dependencies(transaction, made);
        ItemRow row = made.id == null && made.parent == null
                ? insertHashed(transaction, made, call, dependencies)
                : insertNamed(transaction, made, call, dependencies);
        for (Dependency dependency : dependencies) {
            DependencyTable.insert(
                    transaction,
                    new Dependency(row.id, dependency.dependsOn(), dependency.type(), dependency.holds()),
                    Dependency.orders(dependency.type()),
                    row.createdAt,
                    made.actor);
        }
        return row;
    }

    /** Under as much of a hash as nobody has yet. */
    private ItemRow insertHashed(Transaction transaction, NewWork made, String call, List<Dependency> dependencies)
            throws SQLException {
        String hash = hash(made.title + '\0' + call);
        for (int length = SHORTEST_HASH; length <= hash.length(); length++) {
            ItemRow row = row("hf-" + hash.substring(0, length), made, call, dependencies);
            if (insertNow(transaction, row)) {
                return row;
            }
        }
        throw new SQLException("every beginning of a hash is taken", "40001"); // runs again
    }

    private ItemRow insertNamed(Transaction transaction, NewWork made, String call, List<Dependency> dependencies)
            throws SQLException {
        String id = freeId(transaction, made);
        if (made.id != null && !dependencies.isEmpty()) {
            refuseCircles(transaction, id, dependencies);
        }
        ItemRow row = row(id, made, call, dependencies);
        if (!insertNow(transaction, row)) {
            if (made.id != null) {
                throw taken(id);
            }
            throw new SQLException("two items took the same id at once", "40001"); // runs again, with another id
        }
        return row;
    }

    private static ItemRow row(String id, NewWork made, String call, List<Dependency> dependencies) {
        ItemRow row = new ItemRow(id, made.title, made.type, made.priority, made.labels, made.queue, call);
        row.description = made.description;
        row.assignee = made.assignee;
        row.externalRef = made.externalRef;
        row.metadata = made.metadata;
        row.createdBy = made.actor;
        Instant deferUntil = made.deferUntil;
        if (deferUntil != null) {
            row.status = WorkStatus.DEFERRED;
            row.deferUntil = LeaseClock.micros(deferUntil);
        }
        row.waitsFor = dependencies.stream().filter(Dependency::holds).count();
        return row;
    }

    /** As {@link #insert(Transaction, ItemRow)}, created now. */
    private boolean insertNow(Transaction transaction, ItemRow row) throws SQLException {
        if (!insertResource(transaction, row)) {
            return false;
        }
        row.createdAt = transaction.now();
        row.updatedAt = row.createdAt;
        ItemTable.insert(transaction, row);
        return true;
    }

    /**
     * Inserts the item and its resource; somebody waiting for such an item is granted it at once. False if the id is
     * taken.
     */
    public boolean insert(Transaction transaction, ItemRow row) throws SQLException {
        boolean created = insertResource(transaction, row);
        if (created) {
            ItemTable.insert(transaction, row);
        }
        return created;
    }

    private boolean insertResource(Transaction transaction, ItemRow row) throws SQLException {
        Long deferUntil = row.deferUntil;
        NewResource resource = NewResource.of(row.resource())
                .queue(row.queue)
                .priority(row.priority)
                .labels(row.marks())
                .blocked(row.barred())
                .notBefore(row.status == WorkStatus.DEFERRED ? ItemTable.instant(deferUntil) : null)
                .maxAttempts(maxAttempts);
        return changes.transactional()
                .create(
                        transaction,
                        resource,
                        ItemChanges.event("work_created", row.createdBy, Map.of("title", row.title, "type", row.type)));
    }

    private static RefusedException taken(String id) {
        return new RefusedException(
                RefusalCode.BAD_STATE, "work item " + id + " already exists; choose another id, or leave it out");
    }

    /** Locks what it depends on, to know whether that holds the item back. */
    private List<Dependency> dependencies(Transaction transaction, NewWork made) throws SQLException {
        List<Dependency> dependencies = new ArrayList<>();
        Set<String> named = new TreeSet<>(made.dependsOn);
        add(named, made.parent);
        add(named, made.discoveredFrom);
        for (String id : named) { // in id order: everybody locks in the same order
            if (!WorkLimits.couldBe(id)) {
                throw ItemChanges.notFound(id);
            }
            if (id.equals(made.id)) {
                throw new InvalidException("work item " + id + " cannot depend on itself");
            }
            ItemRow other = changes.lock(transaction, id).item();
            if (made.dependsOn.contains(id)) {
                dependencies.add(dependency(id, Dependency.BLOCKS, other));
            }
            if (id.equals(made.parent)) {
                dependencies.add(dependency(id, Dependency.PARENT_CHILD, other));
            }
            if (id.equals(made.discoveredFrom)) {
                dependencies.add(dependency(id, "discovered-from", other));
            }
        }
        return dependencies;
    }

    private static void add(Set<String> named, @Nullable String id) {
        if (id != null) {
            named.add(id);
        }
    }

    private static Dependency dependency(String on, String type, ItemRow other) {
        return new Dependency("", on, type, Dependency.holds(type, other));
    }

    /** Something may already depend on an id that is only now created. */
    private static void refuseCircles(Transaction transaction, String id, List<Dependency> dependencies)
            throws SQLException {
        for (Dependency dependency : dependencies) {
            if (Dependency.orders(dependency.type())
                    && DependencyTable.comesBefore(transaction, id, dependency.dependsOn())) {
                throw Dependencies.circle(id, dependency.dependsOn());
            }
        }
    }

    /** The id that was asked for, or the parent's next. */
    private String freeId(Transaction transaction, NewWork made) throws SQLException {
        if (made.id == null) {
            return nextChild(transaction, Objects.requireNonNull(made.parent));
        }
        if (ItemTable.find(transaction, made.id).isPresent()) {
            throw taken(made.id);
        }
        return made.id;
    }

    private String nextChild(Transaction transaction, String parent) throws SQLException {
        ItemRow row = ItemTable.find(transaction, parent).orElseThrow();
        String id;
        do {
            row.children++;
            id = parent + "." + row.children;
        } while (changes.transactional()
                .lock(transaction, WorkItem.resource(id))
                .isPresent());
        ItemTable.update(transaction, row);
        return WorkLimits.id(id);
    }

    private static String hash(String text) {
        return new BigInteger(1, Sha256.of(text)).toString(Character.MAX_RADIX);
    }
}
