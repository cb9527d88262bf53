package dev.holdfast.claim;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A resource whose row is locked until the transaction ends, and its state when it was locked. Pass it on to whatever
 * ends, reopens or retires the claim, so that nobody looks up the row again.
 */
public final class LockedClaim {
    private final ResourceRow row;
    private final long now;
    private final @Nullable Claim claim;
    private final @Nullable String atWork;
    private final boolean expired;
    private final long generation;
    private final long attempts;
    private final @Nullable Long endedGeneration;
    private final @Nullable String endedBy;

    LockedClaim(ResourceRow row, long now) {
        this.row = row;
        this.now = now;
        claim = row.held() && row.under == null ? row.claim() : null;
        atWork = row.held() ? row.holder : null;
        expired = row.expired(now);
        generation = row.generation;
        attempts = row.attempts;
        endedGeneration = row.endedGeneration;
        endedBy = row.endedBy;
    }

    /** For changes in the same transaction. */
    ResourceRow row() {
        return row;
    }

    public Resource resource() {
        return row.resource;
    }

    /** The time by the lease clock when it was locked. */
    public long now() {
        return now;
    }

    /** The claim; null if nobody holds it, or only softly. */
    public @Nullable Claim claim() {
        return claim;
    }

    public @Nullable String holder() {
        return claim == null ? null : claim.holder();
    }

    /** The holder, soft or not; null if nobody holds it. */
    public @Nullable String atWork() {
        return atWork;
    }

    /** Whether it is held under another claim. That claim may be over; then anybody may take this one. */
    public boolean soft() {
        return row.held() && row.under != null;
    }

    /** Whether its lease has expired, so that anybody may take it. */
    public boolean expired() {
        return expired;
    }

    public long generation() {
        return generation;
    }

    /** Attempts that failed or expired since the last success. */
    public long attempts() {
        return attempts;
    }

    /** The last generation that its holder ended. */
    public @Nullable Long endedGeneration() {
        return endedGeneration;
    }

    public @Nullable String endedBy() {
        return endedBy;
    }

    /** The locked row, with the outer claim's row if it is held softly. */
    LockedRow locked(Transaction transaction) throws SQLException {
        return row.under == null
                ? new LockedRow(row, null)
                : LockedRow.of(transaction, row.resource).orElseThrow();
    }
}
