package dev.holdfast.claim;

import dev.holdfast.store.LeaseClock;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One row of {@code resources}: read under its lock, changed by {@link Rules}, and written back. */
final class ResourceRow {
    final Resource resource;
    String queue;
    int priority;
    long seq;
    Set<String> labels;
    final @Nullable Integer maxAttempts;

    State state = State.READY;

    @Nullable
    Long notBefore;

    boolean kept;

    /** Held, but to be blocked once nobody holds it. */
    boolean barred;

    @Nullable
    String holder;

    long generation;

    @Nullable
    Long acquiredAt;

    @Nullable
    Long renewedAt;

    @Nullable
    Long expiresAt;

    @Nullable
    Long lease;

    boolean confirmed;

    @Nullable
    String requestId;

    @Nullable
    OuterClaim under;

    @Nullable
    Long endedGeneration;

    @Nullable
    String endedBy;

    @Nullable
    String endedAs;

    int attempts;

    @Nullable
    Long readySince;

    @Nullable
    String note;

    ResourceRow(
            Resource resource,
            String queue,
            int priority,
            long seq,
            Set<String> labels,
            @Nullable Integer maxAttempts) {
        this.resource = resource;
        this.queue = queue;
        this.priority = priority;
        this.seq = seq;
        this.labels = labels;
        this.maxAttempts = maxAttempts;
    }

    static ResourceRow of(NewResource made) {
        ResourceRow row =
                new ResourceRow(made.resource(), made.queue(), made.priority(), 0, made.labels(), made.maxAttempts());
        row.state = made.blocked() ? State.BLOCKED : State.READY;
        row.kept = made.kept();
        row.notBefore = made.notBefore() == null ? null : LeaseClock.micros(made.notBefore());
        return row;
    }

    boolean held() {
        return state == State.HELD;
    }

    /** Whether claim-next may hand it out. */
    boolean offered() {
        return state == State.READY && notBefore == null && !kept;
    }

    /** Whether it is blocked because it failed too often. */
    boolean parked() {
        return state == State.BLOCKED && maxAttempts != null && attempts >= maxAttempts;
    }

    /** The resource whose claim keeps this one alive, if it is held softly. */
    @Nullable
    Resource outer() {
        return under == null ? null : under.resource();
    }

    /** The generation that a holder presents: the grant's own or, for a soft claim, the outer claim's. */
    long effectiveGeneration() {
        return under == null ? generation : under.generation();
    }

    boolean expired(long now) {
        return expiresAt != null && expiresAt <= now;
    }

    /** The claim on this row, which must not be a soft one. */
    Claim claim() {
        return claim(expiresAt);
    }

    /** The claim on this row with this expiry: for a soft claim, the outer claim's. */
    Claim claim(@Nullable Long expiry) {
        if (holder == null || acquiredAt == null || expiry == null) {
            throw new IllegalStateException(resource + " is not held");
        }
        return new Claim(
                resource,
                holder,
                effectiveGeneration(),
                instant(acquiredAt),
                instant(renewedAt == null ? acquiredAt : renewedAt),
                instant(expiry),
                confirmed,
                attempts,
                under);
    }

    static Instant instant(long micros) {
        return LeaseClock.instant(micros);
    }
}
