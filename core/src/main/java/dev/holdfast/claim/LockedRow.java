package dev.holdfast.claim;

import dev.holdfast.store.BusyException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A locked row; if it is held softly, with the outer claim's row, which is locked first. */
record LockedRow(ResourceRow row, @Nullable ResourceRow outer) {
    private static final int LOOKS = 3;

    static Optional<LockedRow> of(Transaction transaction, Resource resource) throws SQLException {
        if (transaction.engine() == Engine.SQLITE) {
            Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
            @Nullable ResourceRow outer = outerOf(transaction, row);
            return row.map(found -> new LockedRow(found, outer));
        }
        Optional<ResourceRow> plain = ResourceTable.lockUnlessSoft(transaction, resource.toString());
        if (plain.isPresent()) {
            return plain.map(row -> new LockedRow(row, null));
        }
        for (int look = 0; look < LOOKS; look++) {
            Optional<ResourceRow> seen = ResourceTable.look(transaction, resource.toString());
            if (seen.isEmpty()) {
                return Optional.empty();
            }
            @Nullable ResourceRow outer = outerOf(transaction, seen);
            Optional<ResourceRow> row = ResourceTable.lock(transaction, resource.toString());
            Resource before = seen.map(ResourceRow::outer).orElse(null);
            Resource now = row.map(ResourceRow::outer).orElse(null);
            if (now == null || now.equals(before)) {
                return row.map(found -> new LockedRow(found, now == null ? null : outer));
            }
        }
        throw new BusyException(resource + " changed hands " + LOOKS + " times while it was looked at; try again");
    }

    /** As {@link #of}, but creates the row of a free-standing key that does not exist yet. */
    static Optional<LockedRow> findOrCreate(Transaction transaction, Resource resource) throws SQLException {
        Optional<LockedRow> locked = of(transaction, resource);
        if (locked.isPresent() || !resource.kind().freeStanding()) {
            return locked;
        }
        ResourceTable.create(transaction, resource);
        return of(transaction, resource);
    }

    private static @Nullable ResourceRow outerOf(Transaction transaction, Optional<ResourceRow> row)
            throws SQLException {
        Resource outer = row.map(ResourceRow::outer).orElse(null);
        return outer == null
                ? null
                : ResourceTable.lock(transaction, outer.toString()).orElse(null);
    }

    /**
     * Passes only for the current grant. A soft claim also needs the outer claim's guard to pass: it ends with that
     * grant.
     */
    Optional<Refusal> guard(Fence fence) {
        Optional<Refusal> refusal = Rules.guard(row, fence);
        OuterClaim under = row.under;
        if (refusal.isPresent() || under == null) {
            return refusal;
        }
        return outer == null || outer.under != null
                ? Optional.of(new Refusal.NotHeld(under.resource()))
                : Rules.guard(outer, fence);
    }
}
