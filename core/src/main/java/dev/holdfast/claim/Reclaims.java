package dev.holdfast.claim;

import dev.holdfast.claim.ClaimEvents.TakenBack;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reclaims from holders that are gone: raises the generation, which fences them out, and notifies them. */
final class Reclaims {
    private final ClaimEvents events;
    private final Announcements announcements;
    private final Map<Kind, ReclaimListener> domains = new ConcurrentHashMap<>();

    Reclaims(ClaimEvents events, Announcements announcements) {
        this.events = events;
        this.announcements = announcements;
    }

    void onTakenBack(Kind kind, ReclaimListener domain) {
        domains.put(kind, domain);
    }

    /** Only if this is still the current grant; otherwise changes nothing. */
    boolean reclaim(
            Transaction transaction,
            Resource resource,
            long expectedGeneration,
            String reason,
            @Nullable DomainEvent event)
            throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        if (locked.isEmpty()) {
            return false;
        }
        ResourceRow row = locked.get().row();
        if (!row.held() || row.under != null || row.generation != expectedGeneration) {
            return false;
        }
        reclaimRow(transaction, row, reason, false, event, transaction.now());
        return true;
    }

    /** Only if its lease has expired, or its outer claim's lease has, or its outer claim is over. */
    boolean reclaimExpired(Transaction transaction, Resource resource, String reason) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        long now = transaction.now();
        if (locked.isEmpty()
                || !locked.get().row().held()
                || !Rules.free(locked.get().row(), locked.get().outer(), now)) {
            return false;
        }
        reclaimRow(transaction, locked.get().row(), reason, true, null, now);
        return true;
    }

    /** Marks the resource done, whoever holds it. */
    void retire(Transaction transaction, ResourceRow row, String reason, DomainEvent event) throws SQLException {
        long now = transaction.now();
        if (row.holder != null) {
            ResourceTable.displaceAll(transaction, List.of(row), reason, now);
            Rules.reclaim(row, false, now);
        }
        row.state = State.DONE;
        row.readySince = null;
        row.notBefore = null;
        row.kept = false;
        ResourceTable.update(transaction, row);
        events.append(transaction, row, now, row.generation, event);
        transaction.afterCommit(() -> announcements.freed(row));
    }

    /** Reclaims at most this many expired claims; returns their resources. */
    List<Resource> sweep(Transaction transaction, int max) throws SQLException {
        List<ResourceRow> expired = ResourceTable.expired(transaction, transaction.now(), max);
        reclaimAll(transaction, expired, "expired", true, null, transaction.now());
        return expired.stream().map(row -> row.resource).toList();
    }

    /** As {@link #sweep(Transaction, int)}, for one resource. */
    Optional<Resource> sweep(Transaction transaction, String key) throws SQLException {
        Optional<ResourceRow> row = ResourceTable.expired(transaction, key, transaction.now());
        if (row.isEmpty()) {
            return Optional.empty();
        }
        reclaimRow(transaction, row.get(), "expired", true, null, transaction.now());
        return Optional.of(row.get().resource);
    }

    /** Reclaims everything that a dead holder has; grants it had confirmed count as failed. */
    List<Claim> reclaimAll(Transaction transaction, String holder, String reason) throws SQLException {
        List<ResourceRow> rows = ResourceTable.heldBy(transaction, holder);
        long now = transaction.now();
        List<Claim> taken = rows.stream()
                .map(row -> row.claim(row.expiresAt == null ? Long.valueOf(now) : row.expiresAt))
                .toList();
        reclaimAll(transaction, rows, reason, true, null, now);
        return taken;
    }

    /** Frees a soft claim whose outer grant is over. */
    boolean sweepSoft(Transaction transaction, Resource resource) throws SQLException {
        Optional<LockedRow> locked = LockedRow.of(transaction, resource);
        if (locked.isEmpty()) {
            return false;
        }
        ResourceRow row = locked.get().row();
        if (row.under == null || Rules.alive(row, locked.get().outer())) {
            return false;
        }
        reclaimRow(transaction, row, "outer claim over", false, null, transaction.now());
        return true;
    }

    /** Takes a claim from its holder; returns true if the resource was parked because its leases expired too often. */
    boolean reclaimRow(
            Transaction transaction,
            ResourceRow row,
            String reason,
            boolean expired,
            @Nullable DomainEvent event,
            long now)
            throws SQLException {
        return reclaimAll(transaction, List.of(row), reason, expired, event, now)
                .getFirst()
                .parked();
    }

    /** However many there are, they take only a few round trips. */
    private List<TakenBack> reclaimAll(
            Transaction transaction,
            List<ResourceRow> rows,
            String reason,
            boolean expired,
            @Nullable DomainEvent event,
            long now)
            throws SQLException {
        ResourceTable.displaceAll(transaction, rows, reason, now);
        List<TakenBack> all = new ArrayList<>();
        for (ResourceRow row : rows) {
            String holder = Objects.requireNonNull(row.holder);
            all.add(new TakenBack(row, holder, Rules.reclaim(row, expired, now)));
        }
        ResourceTable.updateAll(transaction, rows);
        events.reclaimed(transaction, all, reason, event, now);
        for (TakenBack one : all) {
            transaction.afterCommit(() -> announcements.freed(one.row()));
            ReclaimListener domain = domains.get(one.row().resource.kind());
            if (domain != null) {
                domain.reclaimed(transaction, one.row().resource, one.parked());
            }
        }
        return all;
    }
}
