package dev.holdfast.review.record;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How every change to a review is made: lock its resource row, read the review, change it, append the event; one transaction.
 *
 * <p>The store may rerun a transaction whose commit was not acknowledged. The call's id, kept in the review,
 * distinguishes such a rerun from a repeated call: a rerun returns the first run's answer.
 */
public record ReviewChanges(Store store, TransactionalClaims transactional, Supplier<String> ids) {
    /** A review under its lock. */
    public record Locked(Transaction transaction, LockedClaim claimState, ReviewRow review) {
        public long now() {
            return claimState.now();
        }

        public Resource resource() {
            return claimState.resource();
        }

        public ReviewStatus status() {
            return review.status(claimState);
        }

        public void save() throws SQLException {
            ReviewTable.update(transaction, review, now());
        }
    }

    public interface Change<T> {
        T make(Locked locked) throws SQLException;
    }

    public String newId() {
        return ids.get();
    }

    /** Records what happened to a review, in the same transaction. */
    public void record(Locked locked, DomainEvent event) throws SQLException {
        transactional.appendEvent(
                locked.transaction(), locked.resource(), locked.claimState().generation(), event);
    }

    public static RefusedException notFound(String id) {
        return new RefusedException(RefusalCode.NOT_FOUND, "Review not found: " + id);
    }

    /** @throws RefusedException if there is no such review, or the change refuses; nothing has changed then */
    public <T> T on(String id, Change<T> change) {
        if (!couldBe(id)) {
            throw notFound(id);
        }
        String call = newId();
        AtomicReference<@Nullable T> first = new AtomicReference<>();
        return store.write(transaction -> {
            Pending<Optional<LockedClaim>> lock = transactional.askLock(transaction, Review.resource(id));
            Pending<Optional<ReviewRow>> found = ReviewTable.ask(transaction, id);
            LockedClaim claim = lock.get().orElseThrow(() -> notFound(id));
            ReviewRow review = found.get().orElseThrow(() -> notFound(id));
            if (review.lastCall.equals(call)) {
                return Objects.requireNonNull(first.get());
            }
            review.lastCall = call;
            T answer = change.make(new Locked(transaction, claim, review));
            first.set(answer);
            return answer;
        });
    }

    /** An id that no review can have is reported as not found rather than as an error of its own. */
    public static boolean couldBe(String id) {
        return !id.isBlank()
                && id.indexOf('\0') < 0
                && id.getBytes(StandardCharsets.UTF_8).length <= Text.LONGEST_ID_BYTES;
    }

    /** A review's event: its status before and after, and more. */
    public static DomainEvent event(
            String type,
            @Nullable String actor,
            @Nullable ReviewStatus before,
            @Nullable ReviewStatus after,
            Map<String, @Nullable Object> metadata) {
        Map<String, Object> detail = new LinkedHashMap<>();
        if (before != null) {
            detail.put("old_status", before.toString());
        }
        if (after != null) {
            detail.put("new_status", after.toString());
        }
        if (!metadata.isEmpty()) {
            detail.put("metadata", metadata);
        }
        return new DomainEvent(type, actor, detail);
    }
}
