package dev.holdfast.claim;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A thing whose row is locked until the transaction ends, and how it was found then. It is handed on to whatever ends,
 * reopens or retires its claim; nobody looks for the row again.
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

    /** For what changes it in the same transaction. */
    ResourceRow row() {
        return row;
    }

    public Resource resource() {
        return row.resource;
    }

    /** When it was locked, by the lease clock. */
    public long now() {
        return now;
    }

    /** Who holds it; null: nobody, or softly. */
    public @Nullable Claim claim() {
        return claim;
    }

    public @Nullable String holder() {
        return claim == null ? null : claim.holder();
    }

    /** Who holds it, softly or not; null: nobody. */
    public @Nullable String atWork() {
        return atWork;
    }

    /** It is held under another claim, which may be over: then anybody may take it. */
    public boolean soft() {
        return row.held() && row.under != null;
    }

    /** Its lease has run out, so that anybody may take it. */
    public boolean expired() {
        return expired;
    }

    public long generation() {
        return generation;
    }

    /** Those that failed or ran out since the last success. */
    public long attempts() {
        return attempts;
    }

    /** The last grant that its holder ended. */
    public @Nullable Long endedGeneration() {
        return endedGeneration;
    }

    public @Nullable String endedBy() {
        return endedBy;
    }

    /** With the outer claim's row if it is held softly. */
    LockedRow locked(Transaction transaction) throws SQLException {
        return row.under == null
                ? new LockedRow(row, null)
                : LockedRow.of(transaction, row.resource).orElseThrow();
    }
}
