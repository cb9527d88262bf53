package dev.holdfast.work;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How every change to an item is made: lock its resource row, read the item, change it, append the event; one transaction.
 *
 * <p>The store may rerun a transaction whose commit was not acknowledged. The call's id, kept in the item,
 * distinguishes such a rerun from a repeated call: a rerun returns the first run's answer.
 */
public record ItemChanges(Store store, TransactionalClaims transactional, Readiness readiness, Supplier<String> ids) {
    /** An item under its lock. */
    public record Locked(Transaction transaction, LockedClaim claimState, ItemRow item) {
        public long now() {
            return claimState.now();
        }

        void save() throws SQLException {
            item.updatedAt = now();
            ItemTable.update(transaction, item);
        }

        WorkItem shown() throws SQLException {
            return ItemTable.show(transaction, item.id).orElseThrow();
        }
    }

    interface Change<T> {
        T make(Locked locked) throws SQLException;
    }

    static RefusedException notFound(String id) {
        return new RefusedException(
                RefusalCode.NOT_FOUND, "there is no work item " + (id.length() <= 60 ? id : id.substring(0, 60) + "…"));
    }

    /** @throws RefusedException if there is no such item, or the change refuses; nothing has changed then */
    <T> T on(String id, Change<T> change) {
        if (!WorkLimits.couldBe(id)) {
            throw notFound(id);
        }
        String call = ids.get();
        AtomicReference<@Nullable T> first = new AtomicReference<>();
        return store.write(transaction -> {
            Locked locked = lock(transaction, id);
            if (locked.item().lastCall.equals(call)) {
                return Objects.requireNonNull(first.get());
            }
            locked.item().lastCall = call;
            T answer = change.make(locked);
            first.set(answer);
            return answer;
        });
    }

    /** Locks an item; first reclaims it if it is held under a claim that is over. */
    public Locked lock(Transaction transaction, String id) throws SQLException {
        Locked locked = lockOnce(transaction, id);
        LockedClaim claimState = locked.claimState();
        return claimState.soft() && transactional.reclaimExpired(transaction, claimState.resource(), "expired")
                ? lockOnce(transaction, id)
                : locked;
    }

    private Locked lockOnce(Transaction transaction, String id) throws SQLException {
        Pending<Optional<LockedClaim>> lock = transactional.askLock(transaction, WorkItem.resource(id));
        Pending<Optional<ItemRow>> found = ItemTable.ask(transaction, id);
        LockedClaim claim = lock.get().orElseThrow(() -> notFound(id));
        return new Locked(transaction, claim, found.get().orElseThrow(() -> notFound(id)));
    }

    public static DomainEvent event(String type, @Nullable String actor, Map<String, ?> detail) {
        return new DomainEvent(type, actor, detail);
    }
}
